package dev.sluice.eventloop;

import dev.sluice.demultiplexer.CalledSystem;

/** The functions of the system by which a demultiplexer waits and is woken, and others that tests let fail. */
public final class WaitFunctions {

    private WaitFunctions() {
    }

    /** {@return the function that a demultiplexer waits by} */
    public static String waiting(String demultiplexer) {
        return switch (demultiplexer) {
            case "io_uring", "io_uring-multi-threaded", "io_uring-poll" -> "io_uring_enter";
            case "epoll", "epoll-edge", "epoll-one-shot" -> "epoll_wait";
            case "afd", "afd-one-shot", "iocp" -> "GetQueuedCompletionStatusEx";
            case "wfmo" -> "WaitForMultipleObjects";
            case "wsapoll" -> "WSAPoll";
            case "poll", "select" -> demultiplexer;
            default -> "kevent";
        };
    }

    /** {@return the function that ends a wait of a demultiplexer, unless that is {@code kevent} once more} */
    public static String waking(String demultiplexer) {
        return switch (demultiplexer) {
            case "afd", "afd-one-shot", "iocp" -> "PostQueuedCompletionStatus";
            case "wfmo" -> "SetEvent";
            default -> CalledSystem.isWindows() ? "send" : "write";
        };
    }

    /** {@return the function that accepts connections with a demultiplexer; for all but {@code io_uring}} */
    public static String accepting(String demultiplexer) {
        return demultiplexer.equals("iocp") ? "AcceptEx" : CalledSystem.isWindows() ? "accept" : "accept4";
    }

    /** {@return the function that opens the system's part of the best synchronous demultiplexer} */
    public static String opening() {
        return CalledSystem.isWindows() ? "CreateIoCompletionPort" : "epoll_create1";
    }
}
