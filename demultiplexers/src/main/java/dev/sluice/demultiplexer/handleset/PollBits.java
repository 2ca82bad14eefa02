package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.spi.EventType;

/**
 * Converts between the library's event types and the bits of {@code poll}, which io_uring uses as well, or those of
 * {@code WSAPoll}.
 */
public enum PollBits {

    /** The bits of {@code poll}. */
    UNIX(PollConstants.POLLIN, PollConstants.POLLOUT, PollConstants.POLLPRI,
            PollConstants.POLLERR | PollConstants.POLLHUP | PollConstants.POLLNVAL),
    /**
     * The bits of {@code WSAPoll}. They have the names of the bits of {@code poll}, but {@code POLLPRI} is refused;
     * urgent data is {@code POLLRDBAND}, which {@code POLLIN} includes. A hang-up may be a reset, or only the end of
     * what the peer sends; {@code WSAPoll} does not distinguish them, so a connection that is half closed and full
     * counts as writable.
     */
    WINDOWS(WinsockConstants.POLLRDNORM, WinsockConstants.POLLWRNORM, WinsockConstants.POLLRDBAND,
            WinsockConstants.POLLERR | WinsockConstants.POLLHUP | WinsockConstants.POLLNVAL);

    private final int read;
    private final int write;
    private final int exception;
    private final int failed;

    PollBits(int read, int write, int exception, int failed) {
        this.read = read;
        this.write = write;
        this.exception = exception;
        this.failed = failed;
    }

    /**
     * Converts event types to the bits to wait for.
     *
     * @param events bits of {@link EventType#IO}
     * @return bits for {@code events}
     */
    public int of(int events) {
        return ((events & EventType.READ) != 0 ? read : 0)
                | ((events & EventType.WRITE) != 0 ? write : 0)
                | ((events & EventType.EXCEPTION) != 0 ? exception : 0);
    }

    /**
     * Converts reported bits to event types. A handle with an error or a hang-up is ready for everything, and the next
     * call on it reports why.
     *
     * @param revents bits of {@code revents}
     * @return bits of {@link EventType#IO}
     */
    public int events(int revents) {
        if ((revents & failed) != 0) {
            return EventType.IO;
        }
        return ((revents & read) != 0 ? EventType.READ : 0)
                | ((revents & write) != 0 ? EventType.WRITE : 0)
                | ((revents & exception) != 0 ? EventType.EXCEPTION : 0);
    }
}
