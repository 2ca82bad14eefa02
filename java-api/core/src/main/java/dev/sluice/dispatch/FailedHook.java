package dev.sluice.dispatch;

import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies a handler of an exception of its hook, and ends the registration that the exception concerns. */
public final class FailedHook {

    private static final Logger LOG = LoggerFactory.getLogger(FailedHook.class);

    private FailedHook() {
    }

    /** Loads this class, because there may be no memory or stack for that when a hook has failed. */
    static void prepare() {
        // The call itself loads the class.
    }

    /**
     * Ends a registration: that of the hook, unless the failure names another handle of the table.
     *
     * @param called the entry whose hook has thrown
     * @param cause  the exception or error
     */
    static void end(HandlerEntry called, Throwable cause) {
        Handle named = HookFailure.handle(cause);
        HandlerEntry other = named == null || named == called.handle ? null : called.table.find(named);
        if (other != null && other.end(cause)) {
            if (!called.rearms) {
                // Even if the handler drains its handle, because the hook failed before it had drained it.
                called.reportAgain();
            }
        } else if (!called.end(cause) && !called.addFailure(cause)) {
            called.notice.report(called, cause);
        }
    }

    /**
     * Notifies the handler of a timer of its failure. If it is not an event handler, as for a signal, logs the failure.
     * Does not throw.
     */
    public static void report(Object handler, Throwable cause) {
        if (handler instanceof EventHandler notified) {
            try {
                notified.handleFailure(null, cause);
            } catch (Throwable e) {
                HookFailure.logUndelivered(notified, cause, e);
            }
        } else {
            HookFailure.log(LOG, handler, "a timer or signal", cause);
        }
    }
}
