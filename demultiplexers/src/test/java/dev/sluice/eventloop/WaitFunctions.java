package dev.sluice.eventloop;

import dev.sluice.demultiplexer.CalledSystem;

/** The functions of the system by which a demultiplexer waits, and by which a wait is ended. */
public final class WaitFunctions {

    private WaitFunctions() {
    }

    /** {@return the function that a demultiplexer waits by} */
    public static String waiting(String demultiplexer) {
        return switch (demultiplexer) {
            case "io_uring", "io_uring-poll" -> "io_uring_enter";
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
}
