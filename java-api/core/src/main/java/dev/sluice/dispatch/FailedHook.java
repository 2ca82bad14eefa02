package dev.sluice.dispatch;

import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;

/** Ends the registration that the failure of a hook concerns, and has its handler notified of the failure. */
final class FailedHook {

    private FailedHook() {
    }

    /**
     * Ends a registration: that of the hook, unless the failure names another handle of the table.
     *
     * @param called whose hook has thrown
     * @param cause  what it has thrown
     */
    static void end(HandlerEntry called, Throwable cause) {
        Handle named = HookFailure.handle(cause);
        HandlerEntry other = named == null || named == called.handle ? null : called.table.find(named);
        if (other != null && other.end(cause)) {
            if (!called.rearms) {
                // Even if the handler drains its handle: the hook failed before it got that far.
                called.reportAgain();
            }
        } else if (!called.end(cause) && !called.addFailure(cause)) {
            called.notice.report(called, cause);
        }
    }
}
