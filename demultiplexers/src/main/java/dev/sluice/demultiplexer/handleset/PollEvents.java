package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.layout.PollConstants;
import dev.sluice.demultiplexer.EventType;

/** Converts between the library's event types and the bits of {@code poll}, which io_uring uses as well. */
public final class PollEvents {

    private static final int FAILED = PollConstants.POLLERR | PollConstants.POLLHUP | PollConstants.POLLNVAL;

    private PollEvents() {
    }

    /**
     * What to ask for.
     *
     * @param events bits of {@link EventType#IO}
     * @return bits for {@code events}
     */
    public static int toPoll(int events) {
        return ((events & EventType.READ) != 0 ? PollConstants.POLLIN : 0)
                | ((events & EventType.WRITE) != 0 ? PollConstants.POLLOUT : 0)
                | ((events & EventType.EXCEPTION) != 0 ? PollConstants.POLLPRI : 0);
    }

    /**
     * What a handle is ready for. A handle that failed or was hung up is ready for everything, and the next call on it
     * tells why.
     *
     * @param revents bits from {@code revents}
     * @return bits of {@link EventType#IO}
     */
    public static int fromPoll(int revents) {
        if ((revents & FAILED) != 0) {
            return EventType.IO;
        }
        return ((revents & PollConstants.POLLIN) != 0 ? EventType.READ : 0)
                | ((revents & PollConstants.POLLOUT) != 0 ? EventType.WRITE : 0)
                | ((revents & PollConstants.POLLPRI) != 0 ? EventType.EXCEPTION : 0);
    }
}
