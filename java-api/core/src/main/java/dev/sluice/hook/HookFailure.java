package dev.sluice.hook;

import dev.sluice.failure.Failures;
import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.lang.invoke.MethodHandles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports exceptions of hooks, so that they affect only the hook's handler. */
public final class HookFailure {

    private static final Logger LOG = LoggerFactory.getLogger(HookFailure.class);

    private HookFailure() {
    }

    /**
     * Loads the classes that handle failures; for callers of hooks. A class that is first used after an
     * {@link OutOfMemoryError} may not load, and if its initialization fails, no later use of it succeeds (JLS 12.4.2).
     */
    public static void prepare() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            lookup.ensureInitialized(Failures.class);
            lookup.ensureInitialized(OutOfMemoryRetry.class);
            lookup.ensureInitialized(HandleClosedException.class);
            lookup.ensureInitialized(SystemCallException.class);
        } catch (IllegalAccessException e) {
            throw new AssertionError("they are public", e);
        }
    }

    /**
     * Returns the handle that a failure names: the one that a system call was made on, or that was closed.
     *
     * @param cause the exception or error of a hook
     * @return the handle, which may be another one than that of the hook; null if it names none
     */
    public static Handle handle(Throwable cause) {
        if (cause instanceof SystemCallException failed) {
            return failed.handle();
        }
        return cause instanceof HandleClosedException closed ? closed.handle() : null;
    }

    /**
     * Logs a failure that the handler could not be notified of. Does not throw, even if there is no memory.
     *
     * @param handler the handler of the hook
     * @param cause   the exception or error of the hook
     * @param failure the exception or error of the handler's call
     */
    public static void logUndelivered(Object handler, Throwable cause, Throwable failure) {
        try {
            if (failure != cause) {
                failure.addSuppressed(cause);
            }
            log(LOG, "cannot notify " + nameOf(handler) + " of a failure", failure);
        } catch (Throwable e) {
            discardUnlogged(failure, e);
        }
    }

    /**
     * Logs that a hook of a handler has failed: an {@link Error} as an error, other exceptions as a warning. For a
     * failed system call, the message in one line has all relevant information, and peers can cause any number of them,
     * so its stack trace is logged only at debug level.
     *
     * @param handler the handler of the hook
     * @param subject the object that the hook was called for; null for none
     * @param cause   the exception or error of the hook
     */
    public static void log(Logger logger, Object handler, Object subject, Throwable cause) {
        try {
            String message = nameOf(handler) + (subject == null ? " failed" : " failed on " + subject);
            if (cause instanceof Error) {
                logger.error(message, cause);
            } else if (cause instanceof SystemCallException) {
                logger.warn("{}: {}", message, cause.getMessage());
                logger.debug("where it failed", cause);
            } else {
                logger.warn(message, cause);
            }
        } catch (Throwable e) {
            discardUnlogged(cause, e);
        }
    }

    /** Logs a failure that cannot be reported in any other way, as an error. */
    public static void log(Logger logger, String message, Throwable cause) {
        try {
            logger.error(message, cause);
        } catch (Throwable e) {
            discardUnlogged(cause, e);
        }
    }

    /**
     * Discards a failure that cannot be logged, usually for lack of memory or stack. It cannot be reported otherwise,
     * and the loop must continue for other handlers.
     */
    private static void discardUnlogged(Throwable cause, Throwable failure) {
        try {
            if (failure != cause) {
                cause.addSuppressed(failure);
            }
        } catch (Throwable e) {
            // There is no memory for that either.
            return;
        }
    }

    private static String nameOf(Object handler) {
        try {
            return String.valueOf(handler);
        } catch (Throwable e) {
            return handler.getClass().getName();
        }
    }
}
