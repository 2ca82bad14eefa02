package dev.sluice.dispatch;

import dev.sluice.hook.HookFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * The notification of a handler at the end of its registration: of failures first, then of the close. Created with the
 * registration, because there may be no memory at the end. Changed under the lock of the registration.
 */
final class EndNotice {

    /** The failure that has ended the registration, or the first exception of a hook since; null if there is none. */
    Throwable failure;
    /** A listener that is notified after the handler; null for none. */
    volatile EndListener listener;
    /** Exceptions of further hooks; null if there are none. */
    private List<Throwable> furtherFailures;

    /** Adds an exception of a hook, of which the handler will be notified. */
    void addFailure(HandlerEntry ended, Throwable cause) {
        if (failure == null) {
            failure = cause;
            return;
        }
        try {
            if (furtherFailures == null) {
                furtherFailures = new ArrayList<>();
            }
            furtherFailures.add(cause);
        } catch (OutOfMemoryError e) {
            HookFailure.logUndelivered(ended.handler, cause, e);
        }
    }

    /** Notifies the handler, and then the listener. Called once, without the lock. */
    void send(HandlerEntry ended) {
        if (failure != null) {
            report(ended, failure);
        }
        for (int i = 0; furtherFailures != null && i < furtherFailures.size(); i++) {
            report(ended, furtherFailures.get(i));
        }
        try {
            IdleTimeout begun = ended.idleTimeout;
            if (begun != null) {
                begun.end();
            }
        } catch (Throwable e) {
            report(ended, e);
        }
        try {
            ended.hooks.handleClose(ended);
        } catch (Throwable e) {
            report(ended, e);
        }
        try {
            if (listener != null) {
                listener.handleEnd(failure);
            }
        } catch (Throwable e) {
            report(ended, e);
        }
    }

    /** Calls the hook for a failure. */
    void report(HandlerEntry failed, Throwable cause) {
        try {
            failed.hooks.handleFailure(failed, cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(failed.handler, cause, e);
        }
    }
}
