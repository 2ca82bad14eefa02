package dev.sluice.calls;

import dev.sluice.calls.layout.CConstants;
import dev.sluice.calls.layout.On;

/**
 * The error numbers of Windows, mapped to names of {@link Errno}. On Windows, {@code Errno} has the numbers of Linux,
 * and {@link #toErrno} translates the results of {@link Windows}.
 */
@CConstants(headers = {"winsock2.h", "windows.h"}, on = On.WINDOWS)
public final class WindowsError {

    public static final int ERROR_INVALID_FUNCTION = 1;
    public static final int ERROR_FILE_NOT_FOUND = 2;
    public static final int ERROR_PATH_NOT_FOUND = 3;
    public static final int ERROR_TOO_MANY_OPEN_FILES = 4;
    public static final int ERROR_ACCESS_DENIED = 5;
    public static final int ERROR_INVALID_HANDLE = 6;
    public static final int ERROR_NOT_ENOUGH_MEMORY = 8;
    public static final int ERROR_OUTOFMEMORY = 14;
    public static final int ERROR_WRITE_PROTECT = 19;
    public static final int ERROR_SHARING_VIOLATION = 32;
    public static final int ERROR_LOCK_VIOLATION = 33;
    public static final int ERROR_HANDLE_EOF = 38;
    public static final int ERROR_HANDLE_DISK_FULL = 39;
    public static final int ERROR_NOT_SUPPORTED = 50;
    public static final int ERROR_NETNAME_DELETED = 64;
    public static final int ERROR_BAD_NETPATH = 53;
    public static final int ERROR_FILE_EXISTS = 80;
    public static final int ERROR_INVALID_PARAMETER = 87;
    public static final int ERROR_BROKEN_PIPE = 109;
    public static final int ERROR_DISK_FULL = 112;
    public static final int ERROR_CALL_NOT_IMPLEMENTED = 120;
    public static final int ERROR_SEM_TIMEOUT = 121;
    public static final int ERROR_INVALID_NAME = 123;
    public static final int ERROR_ALREADY_EXISTS = 183;
    public static final int ERROR_FILENAME_EXCED_RANGE = 206;
    public static final int ERROR_DIRECTORY = 267;
    public static final int ERROR_MORE_DATA = 234;
    public static final int WAIT_TIMEOUT = 258;
    public static final int ERROR_DELETE_PENDING = 303;
    public static final int ERROR_ABANDONED_WAIT_0 = 735;
    public static final int ERROR_OPERATION_ABORTED = 995;
    public static final int ERROR_IO_INCOMPLETE = 996;
    public static final int ERROR_IO_PENDING = 997;
    public static final int ERROR_NOT_FOUND = 1168;
    public static final int ERROR_INVALID_NETNAME = 1214;
    public static final int ERROR_CONNECTION_REFUSED = 1225;
    public static final int ERROR_GRACEFUL_DISCONNECT = 1226;
    public static final int ERROR_ADDRESS_ALREADY_ASSOCIATED = 1227;
    public static final int ERROR_CONNECTION_INVALID = 1229;
    public static final int ERROR_NETWORK_UNREACHABLE = 1231;
    public static final int ERROR_HOST_UNREACHABLE = 1232;
    public static final int ERROR_PORT_UNREACHABLE = 1234;
    public static final int ERROR_CONNECTION_ABORTED = 1236;
    public static final int ERROR_NO_SYSTEM_RESOURCES = 1450;
    public static final int ERROR_WORKING_SET_QUOTA = 1453;
    public static final int ERROR_COMMITMENT_LIMIT = 1455;
    public static final int WSAEINTR = 10004;
    public static final int WSAEBADF = 10009;
    public static final int WSAEACCES = 10013;
    public static final int WSAEFAULT = 10014;
    public static final int WSAEINVAL = 10022;
    public static final int WSAEMFILE = 10024;
    public static final int WSAEWOULDBLOCK = 10035;
    public static final int WSAEINPROGRESS = 10036;
    public static final int WSAEALREADY = 10037;
    public static final int WSAENOTSOCK = 10038;
    public static final int WSAEDESTADDRREQ = 10039;
    public static final int WSAEMSGSIZE = 10040;
    public static final int WSAEPROTOTYPE = 10041;
    public static final int WSAENOPROTOOPT = 10042;
    public static final int WSAEPROTONOSUPPORT = 10043;
    public static final int WSAEOPNOTSUPP = 10045;
    public static final int WSAEPFNOSUPPORT = 10046;
    public static final int WSAEAFNOSUPPORT = 10047;
    public static final int WSAEADDRINUSE = 10048;
    public static final int WSAEADDRNOTAVAIL = 10049;
    public static final int WSAENETDOWN = 10050;
    public static final int WSAENETUNREACH = 10051;
    public static final int WSAENETRESET = 10052;
    public static final int WSAECONNABORTED = 10053;
    public static final int WSAECONNRESET = 10054;
    public static final int WSAENOBUFS = 10055;
    public static final int WSAEISCONN = 10056;
    public static final int WSAENOTCONN = 10057;
    public static final int WSAESHUTDOWN = 10058;
    public static final int WSAETIMEDOUT = 10060;
    public static final int WSAECONNREFUSED = 10061;
    public static final int WSAENAMETOOLONG = 10063;
    public static final int WSAEHOSTDOWN = 10064;
    public static final int WSAEHOSTUNREACH = 10065;
    public static final int WSANOTINITIALISED = 10093;
    public static final int WSAEDISCON = 10101;

    private WindowsError() {
    }

    /**
     * Translates a result of {@link Windows}.
     *
     * @param result a count, or a negated error number of Windows
     * @return the count, or the negated number of the {@link Errno}; an error without one remains recognizable as a
     *         Windows error by {@link Errno#describe}
     */
    public static long toErrno(long result) {
        if (result >= 0) {
            return result;
        }
        Errno error = name((int) -result);
        return error == Errno.UNKNOWN ? result - Errno.FIRST_OF_WINDOWS : -error.number();
    }

    /** As {@link #toErrno(long)}, for calls that return an {@code int}. */
    public static int toErrno(int result) {
        return (int) toErrno((long) result);
    }

    private static Errno name(int number) {
        return switch (number) {
            case WSAEWOULDBLOCK -> Errno.EAGAIN;
            case ERROR_OPERATION_ABORTED -> Errno.ECANCELED;
            case ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_INVALID_NAME, ERROR_BAD_NETPATH -> Errno.ENOENT;
            case ERROR_TOO_MANY_OPEN_FILES, WSAEMFILE -> Errno.EMFILE;
            case ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_DELETE_PENDING, WSAEACCES -> Errno.EACCES;
            case ERROR_INVALID_HANDLE, WSAEBADF -> Errno.EBADF;
            case ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_WORKING_SET_QUOTA, ERROR_COMMITMENT_LIMIT ->
                    Errno.ENOMEM;
            case ERROR_WRITE_PROTECT -> Errno.EROFS;
            case ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL -> Errno.ENOSPC;
            case ERROR_FILE_EXISTS, ERROR_ALREADY_EXISTS -> Errno.EEXIST;
            case ERROR_FILENAME_EXCED_RANGE, WSAENAMETOOLONG -> Errno.ENAMETOOLONG;
            case ERROR_DIRECTORY -> Errno.ENOTDIR;
            case ERROR_INVALID_PARAMETER, WSAEINVAL -> Errno.EINVAL;
            // As on Unix, if the socket has been shut down for sending or the peer has closed the connection.
            case ERROR_BROKEN_PIPE, WSAESHUTDOWN -> Errno.EPIPE;
            case ERROR_NOT_SUPPORTED, WSAEOPNOTSUPP -> Errno.EOPNOTSUPP;
            case ERROR_NETNAME_DELETED, WSAECONNRESET -> Errno.ECONNRESET;
            case ERROR_CONNECTION_ABORTED, ERROR_GRACEFUL_DISCONNECT, WSAECONNABORTED, WSAEDISCON -> Errno.ECONNABORTED;
            case ERROR_CONNECTION_REFUSED, ERROR_PORT_UNREACHABLE, WSAECONNREFUSED -> Errno.ECONNREFUSED;
            case ERROR_NETWORK_UNREACHABLE, WSAENETUNREACH -> Errno.ENETUNREACH;
            case ERROR_HOST_UNREACHABLE, WSAEHOSTUNREACH -> Errno.EHOSTUNREACH;
            case ERROR_SEM_TIMEOUT, WSAETIMEDOUT -> Errno.ETIMEDOUT;
            case ERROR_MORE_DATA, WSAEMSGSIZE -> Errno.EMSGSIZE;
            case ERROR_CALL_NOT_IMPLEMENTED -> Errno.ENOSYS;
            case WSAEINTR -> Errno.EINTR;
            case WSAEFAULT -> Errno.EFAULT;
            case WSAEINPROGRESS, ERROR_IO_PENDING -> Errno.EINPROGRESS;
            case WSAEALREADY -> Errno.EALREADY;
            case WSAENOTSOCK -> Errno.ENOTSOCK;
            case WSAEDESTADDRREQ -> Errno.EDESTADDRREQ;
            case WSAEPROTOTYPE -> Errno.EPROTOTYPE;
            case WSAENOPROTOOPT -> Errno.ENOPROTOOPT;
            case WSAEPROTONOSUPPORT -> Errno.EPROTONOSUPPORT;
            case WSAEPFNOSUPPORT -> Errno.EPFNOSUPPORT;
            case WSAEAFNOSUPPORT -> Errno.EAFNOSUPPORT;
            case ERROR_ADDRESS_ALREADY_ASSOCIATED, WSAEADDRINUSE -> Errno.EADDRINUSE;
            case ERROR_INVALID_NETNAME, WSAEADDRNOTAVAIL -> Errno.EADDRNOTAVAIL;
            case WSAENETDOWN -> Errno.ENETDOWN;
            case WSAENETRESET -> Errno.ENETRESET;
            case ERROR_NO_SYSTEM_RESOURCES, WSAENOBUFS -> Errno.ENOBUFS;
            case WSAEISCONN -> Errno.EISCONN;
            case ERROR_CONNECTION_INVALID, WSAENOTCONN -> Errno.ENOTCONN;
            case WSAEHOSTDOWN -> Errno.EHOSTDOWN;
            default -> Errno.UNKNOWN;
        };
    }
}
