package dev.sluice.calls;

import java.io.IOException;

/**
 * The operating system's error numbers by name. Numbers differ between systems (EAGAIN is 11 on Linux and 35 on macOS),
 * so other code uses only names.
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
    /** No child process. */
    ECHILD(10, "no child process"),
    /** Resource temporarily unavailable. */
    EAGAIN(11, 35, "resource temporarily unavailable"),
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
    EDEADLK(35, 11, "resource deadlock would occur"),
    /** File name too long. */
    ENAMETOOLONG(36, 63, "file name too long"),
    /** Not implemented by this kernel or C library. */
    ENOSYS(38, 78, "not implemented by this kernel or C library"),
    /** Directory not empty. */
    ENOTEMPTY(39, 66, "directory not empty"),
    /** Too many symbolic links. */
    ELOOP(40, 62, "too many symbolic links"),
    /** Timer expired. */
    ETIME(62, 101, PerSystem.NONE, PerSystem.NONE, "timer expired"),
    /** Machine is not on the network. */
    ENONET(64, PerSystem.NONE, "machine is not on the network"),
    /** Protocol error. */
    EPROTO(71, 100, 92, 95, "protocol error"),
    /** Bad message. */
    EBADMSG(74, 94, 89, 92, "bad message"),
    /** Value too large. */
    EOVERFLOW(75, 84, 84, 87, "value too large"),
    /** Not a socket. */
    ENOTSOCK(88, 38, "not a socket"),
    /** Destination address required. */
    EDESTADDRREQ(89, 39, "destination address required"),
    /** Message too long. */
    EMSGSIZE(90, 40, "message too long"),
    /** Wrong protocol type for the socket. */
    EPROTOTYPE(91, 41, "wrong protocol type for the socket"),
    /** Protocol option not available. */
    ENOPROTOOPT(92, 42, "protocol option not available"),
    /** Protocol not supported. */
    EPROTONOSUPPORT(93, 43, "protocol not supported"),
    /** Operation not supported. */
    EOPNOTSUPP(95, 102, 45, 45, "operation not supported"),
    /** Protocol family not supported. */
    EPFNOSUPPORT(96, 46, "protocol family not supported"),
    /** Address family not supported. */
    EAFNOSUPPORT(97, 47, "address family not supported"),
    /** Address already in use. */
    EADDRINUSE(98, 48, "address already in use"),
    /** Address not available on this machine. */
    EADDRNOTAVAIL(99, 49, "address not available on this machine"),
    /** Network is down. */
    ENETDOWN(100, 50, "network is down"),
    /** Network unreachable. */
    ENETUNREACH(101, 51, "network unreachable"),
    /** Connection dropped by the network. */
    ENETRESET(102, 52, "connection dropped by the network"),
    /** Connection aborted before it was accepted. */
    ECONNABORTED(103, 53, "connection aborted before it was accepted"),
    /** Connection reset by peer. */
    ECONNRESET(104, 54, "connection reset by peer"),
    /** No buffer space available. */
    ENOBUFS(105, 55, "no buffer space available"),
    /** Already connected. */
    EISCONN(106, 56, "already connected"),
    /** Not connected. */
    ENOTCONN(107, 57, "not connected"),
    /** Timed out. */
    ETIMEDOUT(110, 60, "timed out"),
    /** Connection refused. */
    ECONNREFUSED(111, 61, "connection refused"),
    /** Host is down. */
    EHOSTDOWN(112, 64, "host is down"),
    /** No route to the host. */
    EHOSTUNREACH(113, 65, "no route to the host"),
    /** Already in progress. */
    EALREADY(114, 37, "already in progress"),
    /** In progress. */
    EINPROGRESS(115, 36, "in progress"),
    /** Stale file handle. */
    ESTALE(116, 70, "stale file handle"),
    /** Disk quota exceeded. */
    EDQUOT(122, 69, "disk quota exceeded"),
    /** Beyond the capabilities of the descriptor, as a path that leads out of its directory. */
    ENOTCAPABLE(PerSystem.NONE, PerSystem.NONE, 93, PerSystem.NONE, "beyond the capabilities of the descriptor"),
    /** Cancelled. */
    ECANCELED(125, 89, 85, 88, "cancelled"),
    /** A number for which this library has no name. */
    UNKNOWN(-1, "unknown error");

    /** The offset of Windows error numbers that have no name here; see {@link WindowsError#toErrno}. */
    static final int FIRST_OF_WINDOWS = 1_000_000;

    /** An error that macOS distinguishes from {@link #EOPNOTSUPP}, and returns in some cases instead. */
    private static final int ENOTSUP = PerSystem.of(PerSystem.NONE, 45, PerSystem.NONE, PerSystem.NONE);

    private static final Errno[] BY_NUMBER = new Errno[134];

    static {
        if (ENOTSUP != PerSystem.NONE) {
            BY_NUMBER[ENOTSUP] = EOPNOTSUPP;
        }
        for (Errno error : values()) {
            if (error.number >= 0) {
                BY_NUMBER[error.number] = error;
            }
        }
    }

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    Errno(int linux, int bsd, String text) {
        this(PerSystem.of(linux, bsd), text);
    }

    Errno(int linux, int macos, int freebsd, int openbsd, String text) {
        this(PerSystem.of(linux, macos, freebsd, openbsd), text);
    }

    /** {@return the number on this system; negative for {@link #UNKNOWN}, and if the system has no such error} */
    public int number() {
        return number;
    }

    /** {@return the description of the error, in a few lower-case words} */
    public String text() {
        return text;
    }

    /**
     * Returns whether the result of a call is this error.
     *
     * @param result the result of the call
     * @return whether the result is the negated number of this error
     */
    public boolean is(long result) {
        return result == -number && number > 0;
    }

    /**
     * Finds the name of the error of a call.
     *
     * @param result the result of the call, a negated error number
     * @return the name; {@link #UNKNOWN} if the number has none here
     */
    public static Errno of(long result) {
        long number = -result;
        Errno error = number > 0 && number < BY_NUMBER.length ? BY_NUMBER[(int) number] : null;
        return error != null ? error : UNKNOWN;
    }

    /**
     * Throws an exception if a call has failed. For programs that make calls themselves; the library has an exception
     * of its own.
     *
     * @param call   the name of the call, for the message
     * @param result the result of the call
     * @return the result, which is not negative
     * @throws IOException if it is negative, with the call and the {@linkplain #describe description} of the error
     */
    public static long check(String call, long result) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": " + describe(result));
        }
        return result;
    }

    /**
     * Describes the error of a call.
     *
     * @param result the result of the call, a negated error number
     * @return for example {@code EACCES (permission denied)}; {@code error 133} or {@code Windows error 1450} if the
     *         number has no name
     */
    public static String describe(long result) {
        Errno error = of(result);
        if (error != UNKNOWN) {
            return error.name() + " (" + error.text + ")";
        }
        return -result > FIRST_OF_WINDOWS ? "Windows error " + (-result - FIRST_OF_WINDOWS) : "error " + -result;
    }
}
