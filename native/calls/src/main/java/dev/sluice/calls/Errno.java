package dev.sluice.calls;

/**
 * The operating system's error numbers by name. Numbers differ between systems (EAGAIN is 11 on Linux and 35 on macOS),
 * so the layers above speak in names only.
 */
public enum Errno {

    /** Operation not permitted. */
    EPERM(1, "operation not permitted"),
    /** No such file or directory. */
    ENOENT(2, "no such file or directory"),
    /** No such process. */
    ESRCH(3, "no such process"),
    /** Interrupted by a signal. */
    EINTR(4, "interrupted by a signal"),
    /** Input/output error. */
    EIO(5, "input/output error"),
    /** No such device or address. */
    ENXIO(6, "no such device or address"),
    /** Argument list too long. */
    E2BIG(7, "argument list too long"),
    /** Bad file descriptor. */
    EBADF(9, "bad file descriptor"),
    /** Resource temporarily unavailable. */
    EAGAIN(11, "resource temporarily unavailable"),
    /** Out of memory. */
    ENOMEM(12, "out of memory"),
    /** Permission denied. */
    EACCES(13, "permission denied"),
    /** Bad address. */
    EFAULT(14, "bad address"),
    /** Device or resource busy. */
    EBUSY(16, "device or resource busy"),
    /** File exists. */
    EEXIST(17, "file exists"),
    /** Cross-device link. */
    EXDEV(18, "cross-device link"),
    /** No such device. */
    ENODEV(19, "no such device"),
    /** Not a directory. */
    ENOTDIR(20, "not a directory"),
    /** Is a directory. */
    EISDIR(21, "is a directory"),
    /** Invalid argument. */
    EINVAL(22, "invalid argument"),
    /** Too many open files in the system. */
    ENFILE(23, "too many open files in the system"),
    /** Too many open files in this process. */
    EMFILE(24, "too many open files in this process"),
    /** Inappropriate ioctl for the device. */
    ENOTTY(25, "inappropriate ioctl for the device"),
    /** Text file busy. */
    ETXTBSY(26, "text file busy"),
    /** File too large. */
    EFBIG(27, "file too large"),
    /** No space left on the device. */
    ENOSPC(28, "no space left on the device"),
    /** Illegal seek. */
    ESPIPE(29, "illegal seek"),
    /** Read-only file system. */
    EROFS(30, "read-only file system"),
    /** Too many links. */
    EMLINK(31, "too many links"),
    /** Broken pipe. */
    EPIPE(32, "broken pipe"),
    /** Result out of range. */
    ERANGE(34, "result out of range"),
    /** Resource deadlock would occur. */
    EDEADLK(35, "resource deadlock would occur"),
    /** File name too long. */
    ENAMETOOLONG(36, "file name too long"),
    /** Not implemented by this kernel or C library. */
    ENOSYS(38, "not implemented by this kernel or C library"),
    /** Directory not empty. */
    ENOTEMPTY(39, "directory not empty"),
    /** Too many symbolic links. */
    ELOOP(40, "too many symbolic links"),
    /** Timer expired. */
    ETIME(62, "timer expired"),
    /** Protocol error. */
    EPROTO(71, "protocol error"),
    /** Bad message. */
    EBADMSG(74, "bad message"),
    /** Value too large. */
    EOVERFLOW(75, "value too large"),
    /** Not a socket. */
    ENOTSOCK(88, "not a socket"),
    /** Destination address required. */
    EDESTADDRREQ(89, "destination address required"),
    /** Message too long. */
    EMSGSIZE(90, "message too long"),
    /** Wrong protocol type for the socket. */
    EPROTOTYPE(91, "wrong protocol type for the socket"),
    /** Protocol option not available. */
    ENOPROTOOPT(92, "protocol option not available"),
    /** Protocol not supported. */
    EPROTONOSUPPORT(93, "protocol not supported"),
    /** Operation not supported. */
    EOPNOTSUPP(95, "operation not supported"),
    /** Protocol family not supported. */
    EPFNOSUPPORT(96, "protocol family not supported"),
    /** Address family not supported. */
    EAFNOSUPPORT(97, "address family not supported"),
    /** Address already in use. */
    EADDRINUSE(98, "address already in use"),
    /** Address not available on this machine. */
    EADDRNOTAVAIL(99, "address not available on this machine"),
    /** Network is down. */
    ENETDOWN(100, "network is down"),
    /** Network unreachable. */
    ENETUNREACH(101, "network unreachable"),
    /** Connection dropped by the network. */
    ENETRESET(102, "connection dropped by the network"),
    /** Connection aborted before it was accepted. */
    ECONNABORTED(103, "connection aborted before it was accepted"),
    /** Connection reset by peer. */
    ECONNRESET(104, "connection reset by peer"),
    /** No buffer space available. */
    ENOBUFS(105, "no buffer space available"),
    /** Already connected. */
    EISCONN(106, "already connected"),
    /** Not connected. */
    ENOTCONN(107, "not connected"),
    /** Timed out. */
    ETIMEDOUT(110, "timed out"),
    /** Connection refused. */
    ECONNREFUSED(111, "connection refused"),
    /** Host is down. */
    EHOSTDOWN(112, "host is down"),
    /** No route to the host. */
    EHOSTUNREACH(113, "no route to the host"),
    /** Already in progress. */
    EALREADY(114, "already in progress"),
    /** In progress. */
    EINPROGRESS(115, "in progress"),
    /** Stale file handle. */
    ESTALE(116, "stale file handle"),
    /** Disk quota exceeded. */
    EDQUOT(122, "disk quota exceeded"),
    /** Cancelled. */
    ECANCELED(125, "cancelled"),
    /** A number that this library has no name for. */
    UNKNOWN(-1, "unknown error");

    /** What is added to an error number of Windows that has no name here; see {@link WindowsError#toErrno}. */
    static final int FIRST_OF_WINDOWS = 1_000_000;

    private static final Errno[] BY_NUMBER = new Errno[134];

    static {
        for (Errno error : values()) {
            if (error.number >= 0) {
                BY_NUMBER[error.number] = error;
            }
        }
    }

    private final int number;
    private final String text;

    Errno(int linux, String text) {
        this.number = linux;
        this.text = text;
    }

    /** {@return the number on this system; -1 for {@link #UNKNOWN}} */
    public int number() {
        return number;
    }

    /** {@return what the error means, in a few lower-case words} */
    public String text() {
        return text;
    }

    /**
     * Whether a call's result is this error.
     *
     * @param result what the call returned
     * @return whether it is this error, negated
     */
    public boolean is(long result) {
        return result == -number && number > 0;
    }

    /**
     * The name of the error that a call returned.
     *
     * @param result the call's result, a negated error number
     * @return its name, {@link #UNKNOWN} if it has none here
     */
    public static Errno of(long result) {
        long number = -result;
        Errno error = number > 0 && number < BY_NUMBER.length ? BY_NUMBER[(int) number] : null;
        return error != null ? error : UNKNOWN;
    }

    /**
     * Describes the error that a call returned.
     *
     * @param result the call's result, a negated error number
     * @return for example {@code EACCES (permission denied)}, or {@code error 133} or {@code Windows error 1450} where
     *         there is no name
     */
    public static String describe(long result) {
        Errno error = of(result);
        if (error != UNKNOWN) {
            return error.name() + " (" + error.text + ")";
        }
        return -result > FIRST_OF_WINDOWS ? "Windows error " + (-result - FIRST_OF_WINDOWS) : "error " + -result;
    }
}
