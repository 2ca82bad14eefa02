package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.EventType;

/**
 * Converts between the library's event types and the bits of {@code WSAPoll}. Those have the names of {@code poll}'s,
 * but {@code POLLPRI} is refused; urgent data is {@code POLLRDBAND}, which {@code POLLIN} would ask for as well.
 */
public final class WsapollEvents {

    private static final int FAILED =
            WinsockConstants.POLLERR | WinsockConstants.POLLHUP | WinsockConstants.POLLNVAL;

    private WsapollEvents() {
    }

    /**
     * What to ask for.
     *
     * @param events bits of {@link EventType#IO}
     * @return bits for {@code events}
     */
    public static int toPoll(int events) {
        return ((events & EventType.READ) != 0 ? WinsockConstants.POLLRDNORM : 0)
                | ((events & EventType.WRITE) != 0 ? WinsockConstants.POLLWRNORM : 0)
                | ((events & EventType.EXCEPTION) != 0 ? WinsockConstants.POLLRDBAND : 0);
    }

    /**
     * What a socket is ready for. A socket that failed or was hung up is ready for everything, and the next call on it
     * tells why. A hang-up may be a reset, or only the end of what the peer sends; {@code WSAPoll} does not distinguish
     * them, so a connection that is half closed and full counts as writable.
     *
     * @param revents bits from {@code revents}
     * @return bits of {@link EventType#IO}
     */
    public static int fromPoll(int revents) {
        if ((revents & FAILED) != 0) {
            return EventType.IO;
        }
        return ((revents & WinsockConstants.POLLRDNORM) != 0 ? EventType.READ : 0)
                | ((revents & WinsockConstants.POLLWRNORM) != 0 ? EventType.WRITE : 0)
                | ((revents & WinsockConstants.POLLRDBAND) != 0 ? EventType.EXCEPTION : 0);
    }
}
