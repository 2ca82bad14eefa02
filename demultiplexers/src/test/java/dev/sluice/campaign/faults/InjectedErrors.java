package dev.sluice.campaign.faults;

import static dev.sluice.calls.WindowsError.ERROR_ACCESS_DENIED;
import static dev.sluice.calls.WindowsError.ERROR_DISK_FULL;
import static dev.sluice.calls.WindowsError.ERROR_NETNAME_DELETED;
import static dev.sluice.calls.WindowsError.ERROR_NOT_ENOUGH_MEMORY;
import static dev.sluice.calls.WindowsError.ERROR_NOT_FOUND;
import static dev.sluice.calls.WindowsError.ERROR_NO_SYSTEM_RESOURCES;
import static dev.sluice.calls.WindowsError.ERROR_SHARING_VIOLATION;
import static dev.sluice.calls.WindowsError.WAIT_TIMEOUT;
import static dev.sluice.calls.WindowsError.WSAEACCES;
import static dev.sluice.calls.WindowsError.WSAEADDRINUSE;
import static dev.sluice.calls.WindowsError.WSAECONNREFUSED;
import static dev.sluice.calls.WindowsError.WSAECONNRESET;
import static dev.sluice.calls.WindowsError.WSAEMFILE;
import static dev.sluice.calls.WindowsError.WSAENETDOWN;
import static dev.sluice.calls.WindowsError.WSAENETUNREACH;
import static dev.sluice.calls.WindowsError.WSAENOBUFS;
import static dev.sluice.calls.WindowsError.WSAENOTCONN;
import static dev.sluice.calls.WindowsError.WSAETIMEDOUT;
import static dev.sluice.calls.WindowsError.WSAEWOULDBLOCK;
import static dev.sluice.campaign.faults.InjectedError.delays;
import static dev.sluice.campaign.faults.InjectedError.fails;
import static dev.sluice.campaign.faults.InjectedError.failsAfterwards;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What may become of each call: the list of errors of its page in the manual, without those that only a mistake in the
 * library could cause (EBADF, EFAULT and the like, except where they end a service, which has to be closed then), and
 * what is no error but happens.
 */
final class InjectedErrors {

    private static final Map<String, List<InjectedError>> OF_CALLS = new TreeMap<>();

    private static final int ENOSR = 63;
    private static final int ESOCKTNOSUPPORT = 94;

    /** All of accept(2), "ERRORS" and "Error handling": few of them end a listener, which then has to be closed. */
    private static final InjectedError[] OF_ACCEPT = and(delay(Errno.EAGAIN, Errno.EINTR, Errno.ECONNABORTED,
            Errno.ECONNRESET, Errno.EPROTO, Errno.ENETDOWN, Errno.ENETUNREACH, Errno.ENONET, Errno.ENOPROTOOPT,
            Errno.EHOSTDOWN, Errno.EHOSTUNREACH, Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT, Errno.ETIMEDOUT,
            Errno.EPERM, Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM),
            InjectedError.delaysUnknown(ENOSR), InjectedError.delaysUnknown(ESOCKTNOSUPPORT), fails(Errno.EBADF),
            fails(Errno.EFAULT), fails(Errno.EINVAL), fails(Errno.ENOTSOCK));

    /** recv(2), udp(7), ip(7) and what a firewall answers: what an earlier datagram has met, and shortages. */
    private static final InjectedError[] OF_RECEIVING_DATAGRAMS = and(
            delay(Errno.EINTR, Errno.EACCES, Errno.ECONNABORTED,
            Errno.ECONNREFUSED, Errno.ECONNRESET, Errno.EHOSTDOWN, Errno.EHOSTUNREACH, Errno.EMSGSIZE,
            Errno.ENETDOWN, Errno.ENETRESET, Errno.ENETUNREACH, Errno.ENONET, Errno.ENOPROTOOPT, Errno.EOPNOTSUPP,
            Errno.EPERM, Errno.EPIPE, Errno.EPROTO, Errno.ETIMEDOUT, Errno.ENOMEM, Errno.ENOBUFS),
            fails(Errno.EBADF), fails(Errno.EFAULT), fails(Errno.EINVAL), fails(Errno.ENOTCONN),
            fails(Errno.ENOTSOCK));

    /** send(2), udp(7), ip(7) and unix(7): what a system may have against one peer, and shortages. */
    private static final InjectedError[] OF_SENDING_DATAGRAMS = and(
            delay(Errno.EINTR, Errno.EACCES, Errno.EADDRNOTAVAIL,
            Errno.EAFNOSUPPORT, Errno.ECONNREFUSED, Errno.ECONNRESET, Errno.EDESTADDRREQ, Errno.EHOSTDOWN,
            Errno.EHOSTUNREACH, Errno.EINVAL, Errno.EISCONN, Errno.ELOOP, Errno.EMSGSIZE, Errno.ENETDOWN,
            Errno.ENETUNREACH, Errno.ENOENT, Errno.ENOTCONN, Errno.ENOTDIR, Errno.EOPNOTSUPP, Errno.EPERM,
            Errno.EPIPE, Errno.EPROTOTYPE, Errno.ETIMEDOUT, Errno.ENOBUFS, Errno.ENOMEM),
            fails(Errno.EBADF), fails(Errno.EFAULT), fails(Errno.ENOTSOCK));

    static {
        if (Platform.CURRENT.os() == Platform.Os.WINDOWS) {
            fillForWindows();
        } else {
            fillForLinux();
        }
        may("allocate", InjectedError.EXHAUSTED);
    }

    private InjectedErrors() {
    }

    private static void fillForLinux() {
        may("accept4", OF_ACCEPT);
        may("bind", fails(Errno.EADDRINUSE), fails(Errno.EACCES), fails(Errno.ENOMEM));
        // close(2): "the state of this file descriptor is unspecified" after EINTR; on Linux it is always closed.
        may("close", failsAfterwards(Errno.EINTR), failsAfterwards(Errno.EIO), failsAfterwards(Errno.ENOSPC));
        may("connect", failsAfterwards(Errno.EINTR), fails(Errno.ECONNREFUSED), fails(Errno.ETIMEDOUT),
                fails(Errno.ENETUNREACH), fails(Errno.EADDRNOTAVAIL), fails(Errno.EAGAIN));
        // Where the system cannot copy, the bytes are read and written.
        may("copy_file_range", delays(Errno.EINTR), delays(Errno.EXDEV), delays(Errno.EOPNOTSUPP), fails(Errno.EIO),
                fails(Errno.ENOSPC));
        may("epoll_create1", fails(Errno.EMFILE), fails(Errno.ENFILE), fails(Errno.ENOMEM));
        may("epoll_ctl ADD", fails(Errno.ENOMEM), fails(Errno.ENOSPC));
        may("epoll_ctl MOD", fails(Errno.ENOMEM));
        may("epoll_wait", delays(Errno.EINTR), InjectedError.SPURIOUS);
        may("eventfd", fails(Errno.EMFILE), fails(Errno.ENFILE), fails(Errno.ENODEV), fails(Errno.ENOMEM));
        may("eventfd_read", delays(Errno.EAGAIN), delays(Errno.EINTR));
        // eventfd(2): EAGAIN means that it is readable already.
        may("eventfd_write", failsAfterwards(Errno.EAGAIN), delays(Errno.EINTR));
        may("fallocate", delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.ENOSPC));
        may("fcntl_lock", delays(Errno.EINTR), fails(Errno.EIO));
        may("fcntl SETFL", fails(Errno.EPERM));
        may("fcntl SETPIPE_SZ", delays(Errno.EPERM), delays(Errno.EBUSY));
        may("fdatasync", delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.ENOSPC));
        may("fsync", delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.ENOSPC));
        may("ftruncate", delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.EFBIG));
        may("getpeername", delays(Errno.ENOBUFS), delays(Errno.ENOTCONN));
        may("getsockname", fails(Errno.ENOBUFS));
        may("getsockopt", fails(Errno.ENOBUFS));
        // io_uring_enter(2)
        may("io_uring_enter", delays(Errno.EAGAIN), delays(Errno.EBUSY), delays(Errno.EINTR), InjectedError.SHORT,
                fails(Errno.ENOMEM));
        may("io_uring_register", fails(Errno.ENOMEM), fails(Errno.EINVAL), fails(Errno.EBUSY));
        may("io_uring_setup", fails(Errno.EMFILE), fails(Errno.ENFILE), fails(Errno.ENOMEM), fails(Errno.EPERM),
                fails(Errno.EINVAL), fails(Errno.ENOSYS));
        may("linkat", fails(Errno.EDQUOT), fails(Errno.EMLINK), fails(Errno.ENOSPC));
        may("listen", fails(Errno.EADDRINUSE));
        may("lseek", fails(Errno.EIO));
        may("mkdirat", fails(Errno.EDQUOT), fails(Errno.ENOMEM), fails(Errno.ENOSPC));
        may("mmap", fails(Errno.EAGAIN), fails(Errno.ENFILE), fails(Errno.ENOMEM));
        may("open", delays(Errno.EINTR), fails(Errno.EACCES), fails(Errno.EMFILE), fails(Errno.ENFILE),
                fails(Errno.ENOENT), fails(Errno.ENOMEM), fails(Errno.ENOSPC));
        may("openat", delays(Errno.EINTR), fails(Errno.EACCES), fails(Errno.EMFILE), fails(Errno.ENOENT));
        // openat2(2): EAGAIN means that a directory of the path was renamed in the meantime.
        may("openat2", delays(Errno.EAGAIN), fails(Errno.EMFILE), fails(Errno.ENOSYS), fails(Errno.EXDEV));
        may("pipe2", fails(Errno.EMFILE), fails(Errno.ENFILE));
        may("poll", delays(Errno.EINTR), fails(Errno.ENOMEM), InjectedError.SPURIOUS);
        may("pread", delays(Errno.EINTR), fails(Errno.EIO), InjectedError.SHORT);
        may("preadv", delays(Errno.EINTR), fails(Errno.EIO), InjectedError.SHORT);
        // Whatever goes wrong with a flag, the call without it decides.
        may("preadv2", delays(Errno.EAGAIN), delays(Errno.EINTR), delays(Errno.EIO), delays(Errno.EOPNOTSUPP),
                InjectedError.SHORT);
        may("pwritev2", delays(Errno.EAGAIN), delays(Errno.EINTR), delays(Errno.EIO), delays(Errno.EOPNOTSUPP));
        may("pwrite", delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.ENOSPC), InjectedError.SHORT);
        may("pwritev", delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.ENOSPC), InjectedError.SHORT);
        may("recv", delays(Errno.EAGAIN), delays(Errno.EINTR), fails(Errno.ECONNRESET), fails(Errno.ENOMEM),
                InjectedError.SHORT);
        may("recvfrom", and(OF_RECEIVING_DATAGRAMS, delays(Errno.EAGAIN)));
        may("recvmsg", and(OF_RECEIVING_DATAGRAMS, delays(Errno.EAGAIN)));
        may("renameat", fails(Errno.EACCES), fails(Errno.ENOSPC));
        may("renameat2", fails(Errno.EINVAL), fails(Errno.ENOSPC));
        may("select", delays(Errno.EINTR), fails(Errno.ENOMEM), InjectedError.SPURIOUS);
        may("send", delays(Errno.EAGAIN), delays(Errno.EINTR), fails(Errno.ECONNRESET), fails(Errno.ENOBUFS),
                fails(Errno.ENOMEM), fails(Errno.EPIPE), InjectedError.SHORT);
        may("sendfile", delays(Errno.EAGAIN), delays(Errno.EINTR), delays(Errno.EINVAL), delays(Errno.ENOSYS),
                fails(Errno.EIO), fails(Errno.ENOMEM), fails(Errno.EPIPE), InjectedError.SHORT);
        may("sendmsg", delays(Errno.EAGAIN), delays(Errno.EINTR), fails(Errno.ENOBUFS), fails(Errno.ENOMEM),
                fails(Errno.EPIPE));
        may("sendto", and(OF_SENDING_DATAGRAMS, delays(Errno.EAGAIN)));
        may("setsockopt", fails(Errno.ENOMEM), fails(Errno.ENOBUFS));
        may("shutdown", fails(Errno.ENOTCONN));
        may("socket", fails(Errno.EMFILE), fails(Errno.ENFILE), fails(Errno.ENOBUFS), fails(Errno.EACCES));
        may("statx", delays(Errno.EINTR), fails(Errno.EACCES), fails(Errno.ENOMEM));
        may("sync_file_range", delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.ENOSPC));
        may("unlinkat", delays(Errno.EINTR), fails(Errno.EACCES), fails(Errno.EIO));

        // Requests to io_uring: what the call gives, and what the kernel adds (io_uring_enter(2), "CQE ERRORS").
        may("IORING_OP_ACCEPT", and(OF_ACCEPT, fails(Errno.ECANCELED)));
        may("IORING_OP_ACCEPT multishot", and(OF_ACCEPT, fails(Errno.ECANCELED), InjectedError.ONCE));
        may("IORING_OP_CLOSE", failsAfterwards(Errno.EINTR), failsAfterwards(Errno.EIO));
        may("IORING_OP_CONNECT", fails(Errno.ECONNREFUSED), fails(Errno.ETIMEDOUT), fails(Errno.ECANCELED));
        // A file system may have the call and refuse the request: a thread makes the call then.
        may("IORING_OP_FADVISE", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.ECANCELED));
        may("IORING_OP_FALLOCATE", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.ENOSPC),
                fails(Errno.ECANCELED));
        may("IORING_OP_FSYNC", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.EIO), fails(Errno.ECANCELED));
        may("IORING_OP_FTRUNCATE", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.EIO),
                fails(Errno.ECANCELED));
        may("IORING_OP_LINKAT", delays(Errno.EOPNOTSUPP), fails(Errno.ENOSPC), fails(Errno.ECANCELED));
        may("IORING_OP_MKDIRAT", delays(Errno.EOPNOTSUPP), fails(Errno.ENOSPC), fails(Errno.ECANCELED));
        may("IORING_OP_OPENAT", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.EMFILE), fails(Errno.ENOENT),
                fails(Errno.ECANCELED));
        may("IORING_OP_OPENAT2", delays(Errno.EINTR), delays(Errno.EAGAIN), fails(Errno.EMFILE), fails(Errno.EXDEV),
                fails(Errno.ECANCELED));
        may("IORING_OP_POLL_ADD", fails(Errno.ECANCELED), fails(Errno.ENOMEM), InjectedError.SPURIOUS);
        may("IORING_OP_POLL_ADD wake-up", delays(Errno.ECANCELED), fails(Errno.ENOMEM), InjectedError.SPURIOUS);
        may("IORING_OP_READ", delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.ECANCELED), InjectedError.SHORT);
        may("IORING_OP_READV", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.EIO), fails(Errno.ECANCELED),
                InjectedError.SHORT);
        // io_uring_registered_buffers(7): EFAULT means that the buffer is not registered any more.
        may("IORING_OP_READ_FIXED", delays(Errno.EINTR), delays(Errno.EFAULT), delays(Errno.EOPNOTSUPP),
                fails(Errno.EIO), fails(Errno.ECANCELED), InjectedError.SHORT);
        may("IORING_OP_READ wake-up", delays(Errno.EINTR), delays(Errno.EAGAIN), delays(Errno.ECANCELED));
        may("IORING_OP_RECV", delays(Errno.EAGAIN), delays(Errno.EINTR), fails(Errno.ECONNRESET),
                fails(Errno.ENOMEM), fails(Errno.ECANCELED), InjectedError.SHORT);
        may("IORING_OP_RECV multishot", delays(Errno.EAGAIN), delays(Errno.EINTR), delays(Errno.ENOBUFS),
                fails(Errno.ECONNRESET), fails(Errno.ENOMEM), fails(Errno.ECANCELED), InjectedError.ONCE);
        may("IORING_OP_RECVMSG", and(OF_RECEIVING_DATAGRAMS, delays(Errno.EAGAIN), fails(Errno.ECANCELED)));
        may("IORING_OP_RENAMEAT", delays(Errno.EOPNOTSUPP), fails(Errno.ENOSPC), fails(Errno.ECANCELED));
        may("IORING_OP_SEND", delays(Errno.EAGAIN), delays(Errno.EINTR), fails(Errno.ECONNRESET), fails(Errno.EPIPE),
                fails(Errno.ENOMEM), fails(Errno.ECANCELED), InjectedError.SHORT);
        may("IORING_OP_SEND_ZC", delays(Errno.EINTR), delays(Errno.ENOMEM), delays(Errno.EOPNOTSUPP),
                fails(Errno.ECONNRESET), fails(Errno.ECANCELED), InjectedError.SHORT);
        may("IORING_OP_SENDMSG", and(OF_SENDING_DATAGRAMS, delays(Errno.EAGAIN), fails(Errno.ECANCELED)));
        may("IORING_OP_SENDMSG of a stream", delays(Errno.EAGAIN), delays(Errno.EINTR), fails(Errno.ECONNRESET),
                fails(Errno.EPIPE), fails(Errno.ENOMEM), fails(Errno.ECANCELED));
        may("IORING_OP_SHUTDOWN", delays(Errno.EINTR), fails(Errno.ENOTCONN), fails(Errno.ECANCELED));
        may("IORING_OP_SPLICE", delays(Errno.EAGAIN), delays(Errno.EINTR), fails(Errno.EIO), fails(Errno.EPIPE),
                fails(Errno.ECANCELED), InjectedError.SHORT);
        may("IORING_OP_STATX", delays(Errno.EINTR), fails(Errno.EACCES), fails(Errno.ENOMEM), fails(Errno.ECANCELED));
        may("IORING_OP_SYNC_FILE_RANGE", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.EIO),
                fails(Errno.ECANCELED));
        may("IORING_OP_TIMEOUT", fails(Errno.ECANCELED), fails(Errno.ENOMEM));
        may("IORING_OP_UNLINKAT", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.EACCES), fails(Errno.EIO),
                fails(Errno.ECANCELED));
        may("IORING_OP_WRITE", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.EIO),
                fails(Errno.ENOSPC), fails(Errno.ECANCELED), InjectedError.SHORT);
        may("IORING_OP_WRITEV", delays(Errno.EINTR), delays(Errno.EOPNOTSUPP), fails(Errno.EIO), fails(Errno.ENOSPC),
                fails(Errno.ECANCELED), InjectedError.SHORT);
        may("IORING_OP_WRITE_FIXED", delays(Errno.EINTR), delays(Errno.EFAULT), delays(Errno.EOPNOTSUPP),
                fails(Errno.EIO), fails(Errno.ENOSPC), fails(Errno.ECANCELED), InjectedError.SHORT);
        may("completions", InjectedError.SWAPPED);
    }

    /** A call with an {@code OVERLAPPED} that fails at once has started nothing, and no packet will come. */
    private static void fillForWindows() {
        may("AcceptEx", delays(WSAECONNRESET), delays(WSAETIMEDOUT), fails(WSAENOBUFS));
        may("CancelIoEx", failsAfterwards(ERROR_NOT_FOUND));
        may("ConnectEx", fails(WSAECONNREFUSED), fails(WSAENETUNREACH), fails(WSAENOBUFS));
        may("CreateEventW", fails(ERROR_NOT_ENOUGH_MEMORY));
        may("CreateFileW", fails(ERROR_ACCESS_DENIED), fails(ERROR_SHARING_VIOLATION), fails(ERROR_DISK_FULL),
                fails(ERROR_NOT_ENOUGH_MEMORY));
        may("CreateIoCompletionPort", fails(ERROR_NOT_ENOUGH_MEMORY), fails(ERROR_NO_SYSTEM_RESOURCES));
        may("FlushFileBuffers", fails(ERROR_DISK_FULL));
        may("GetFileSizeEx", fails(ERROR_NOT_ENOUGH_MEMORY));
        may("GetQueuedCompletionStatusEx", delays(WAIT_TIMEOUT));
        may("NtCreateFile", InjectedError.lacksResources());
        may("NtDeviceIoControlFile", InjectedError.lacksResources());
        may("PostQueuedCompletionStatus", fails(ERROR_NOT_ENOUGH_MEMORY));
        may("ReadFile", fails(ERROR_NO_SYSTEM_RESOURCES), fails(ERROR_NOT_ENOUGH_MEMORY));
        may("SetFileInformationByHandle", fails(ERROR_DISK_FULL));
        may("TransmitFile", fails(ERROR_NETNAME_DELETED), fails(WSAENOBUFS));
        may("WSAEventSelect", fails(WSAENOBUFS));
        may("WSAIoctl", fails(WSAENETDOWN));
        may("WSAPoll", fails(WSAENOBUFS));
        may("WSARecv", fails(WSAECONNRESET), fails(WSAENOBUFS), InjectedError.SHORT);
        may("WSARecvFrom", fails(WSAENOBUFS));
        may("WSASend", fails(WSAECONNRESET), fails(WSAENOBUFS), InjectedError.SHORT);
        may("WSASendTo", fails(WSAENOBUFS));
        may("WSASocketW", fails(WSAEMFILE), fails(WSAENOBUFS));
        may("WriteFile", fails(ERROR_DISK_FULL), fails(ERROR_NO_SYSTEM_RESOURCES));
        may("accept", delays(WSAEWOULDBLOCK), delays(WSAECONNRESET), delays(WSAETIMEDOUT), delays(WSAEACCES),
                delays(WSAENETDOWN), delays(WSAEMFILE), delays(WSAENOBUFS));
        may("bind", fails(WSAEADDRINUSE), fails(WSAEACCES), fails(WSAENOBUFS));
        may("closesocket", failsAfterwards(WSAENETDOWN));
        may("connect", fails(WSAECONNREFUSED), fails(WSAENETUNREACH), fails(WSAENOBUFS));
        may("getsockname", fails(WSAENETDOWN));
        may("getsockopt", fails(WSAENETDOWN));
        may("ioctlsocket", fails(WSAENETDOWN));
        may("listen", fails(WSAEADDRINUSE), fails(WSAENOBUFS));
        may("recv", delays(WSAEWOULDBLOCK), fails(WSAECONNRESET), fails(WSAENOBUFS), InjectedError.SHORT);
        may("recvfrom", delays(WSAEWOULDBLOCK), fails(WSAENOBUFS));
        may("select", fails(WSAENOBUFS));
        may("send", delays(WSAEWOULDBLOCK), fails(WSAECONNRESET), fails(WSAENOBUFS), InjectedError.SHORT);
        may("sendto", delays(WSAEWOULDBLOCK), fails(WSAENOBUFS));
        may("setsockopt", fails(WSAENETDOWN));
        may("shutdown", fails(WSAENOTCONN));
    }

    private static void may(String call, InjectedError... injectedErrors) {
        OF_CALLS.put(call, List.of(injectedErrors));
    }

    private static InjectedError[] delay(Errno... errors) {
        return Stream.of(errors).map(InjectedError::delays).toArray(InjectedError[]::new);
    }

    private static InjectedError[] and(InjectedError[] some, InjectedError... others) {
        return Stream.concat(Stream.of(some), Stream.of(others)).toArray(InjectedError[]::new);
    }

    static List<InjectedError> of(String call) {
        return OF_CALLS.getOrDefault(call, List.of());
    }

    /**
     * {@return the faults of a scenario, one for each call and injected, and for each lasting shortage}
     *
     * @param counts        how often each function is called
     * @param edgeTriggered whether readiness is reported once, so that the system must not return EAGAIN before all is
     *                      taken
     */
    static List<Fault> faults(Map<String, Integer> counts, boolean edgeTriggered) {
        List<Fault> faults = new ArrayList<>();
        counts.forEach((call, count) -> {
            for (InjectedError injected : of(call)) {
                if (edgeTriggered && injected.error() == Errno.EAGAIN) {
                    continue;
                }
                for (int number = 1; number <= count; number++) {
                    faults.add(new Fault(call, number, false, injected));
                }
                if (lasts(call, injected)) {
                    faults.add(new Fault(call, 1, true, injected));
                    faults.add(new Fault(call, (count + 1) / 2, true, injected));
                }
            }
        });
        return faults;
    }

    private static boolean lasts(String call, InjectedError injected) {
        // While there are provided buffers the kernel does not go on saying that there are none.
        boolean untrue = call.equals("IORING_OP_RECV multishot") && injected.error() == Errno.ENOBUFS;
        return !untrue && isShortage(injected);
    }

    private static boolean isShortage(InjectedError injected) {
        return injected == InjectedError.EXHAUSTED
                || injected.kind() == InjectedError.Kind.FAILS && switch (injected.error()) {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSPC -> true;
            default -> false;
        };
    }
}
