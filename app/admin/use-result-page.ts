import { useLocation, useNavigate, useNavigation } from "@remix-run/react";
import { useCallback, useRef } from "react";

/** Opens the page to which the result of a form leads, unless staff have chosen another page since the form was sent. */
export type OpenPage = (path: string, options?: { replace?: boolean; preventScrollReset?: boolean }) => void;

/** Returns a function to call when a form is sent, and one that opens the page of its result. */
export function useResultPage(): { onSent: () => void; open: OpenPage } {
  const navigate = useNavigate();
  const location = useLocation();
  // The page that staff have chosen, which may still be loading.
  const { key } = useNavigation().location ?? location;
  const chosen = useRef(key);
  chosen.current = key;
  const sentFrom = useRef<string>();
  const onSent = useCallback(() => {
    sentFrom.current = chosen.current;
  }, []);
  const open: OpenPage = useCallback(
    (path, options) => {
      if (sentFrom.current === chosen.current) navigate(path, options);
    },
    [navigate],
  );
  return { onSent, open };
}
