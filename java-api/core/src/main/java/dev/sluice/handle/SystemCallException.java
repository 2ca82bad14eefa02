package dev.sluice.handle;

import dev.sluice.calls.Errno;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a system call fails. The message names the call, its subject, and the error. */
public final class SystemCallException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String call;
    private final String subject;
    private final Errno error;
    private final transient @Nullable Handle handle;

    /**
     * Creates an exception for a call without a handle.
     *
     * @param call    the C function, such as {@code bind}
     * @param subject the subject of the call, such as an address or a path
     * @param result  the result of the call: the negated error number
     */
    public SystemCallException(String call, String subject, long result) {
        this(call, subject, null, result, "");
    }

    /**
     * Creates an exception for a call on a handle.
     *
     * @param call   the C function, such as {@code send}
     * @param handle the handle of the call
     * @param result the result of the call: the negated error number
     */
    public SystemCallException(String call, Handle handle, long result) {
        this(call, handle.toString(), handle, result, "");
    }

    /** Creates an exception for a call on a handle, with a detail that is appended to the subject. */
    SystemCallException(String call, Handle handle, String part, long result) {
        this(call, handle + part, handle, result, "");
    }

    /**
     * Creates an exception whose message ends with advice.
     *
     * @param call    the C function, such as {@code open}
     * @param subject the subject of the call, such as an address or a path
     * @param result  the result of the call: the negated error number
     * @param advice  the remedy or the possible cause, for the end of the message; null if there is none
     */
    public SystemCallException(String call, String subject, long result, @Nullable String advice) {
        this(call, subject, null, result, advice == null ? "" : "; " + advice);
    }

    private SystemCallException(String call, String subject, @Nullable Handle handle, long result, String advice) {
        super(call + " " + subject + ": " + Errno.describe(result) + advice);
        this.call = call;
        this.subject = subject;
        this.handle = handle;
        this.error = Errno.of(result);
    }

    /** {@return the C function that failed} */
    public String call() {
        return call;
    }

    /** {@return the subject of the call, such as an address or a path} */
    public String subject() {
        return subject;
    }

    /**
     * {@return the handle that the call was made on; null if there was none, or this exception has been deserialized}
     */
    public @Nullable Handle handle() {
        return handle;
    }

    /**
     * {@return the name of the error, such as {@code ECONNRESET}, which is the same on every system; {@code UNKNOWN} if
     * it has no name here, in which case the message has its number}
     */
    public String errorName() {
        return error.name();
    }

    Errno error() {
        return error;
    }
}
