package dev.sluice.dispatch;

import dev.sluice.hook.HookFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * What a handler is notified of at the end of its registration: the failures that it has to know, then the close. It is
 * made with the registration, as there may be no memory at the end. Filled under the lock of the registration.
 */
final class EndNotice {

    /** Why the registration has ended, if that has to be reported, or what a hook has thrown since. */
    Throwable failure;
    /** Notified after the handler; null for none. */
    volatile EndListener listener;
    /** What further hooks have thrown; null, as almost always, if none has. */
    private List<Throwable> furtherFailures;

    /** Keeps what a hook has thrown until the handler is notified. */
    void keep(HandlerEntry ended, Throwable cause) {
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

    /** Notifies the handler, and then the listener. Called once, not under the lock. */
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
