package dev.sluice.demultiplexer.poll;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.demultiplexer.handleset.PollBits;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The handle set of {@code poll}: an array of {@code pollfd}. */
public final class PollDemultiplexer extends PollArrayDemultiplexer {

    /** The name by which it is chosen. */
    public static final String NAME = "poll";

    private final Posix posix = Bindings.current().posix();

    /** Opens a demultiplexer with an empty set. */
    public PollDemultiplexer() throws IOException {
        super(NAME, Pollfd.SIZE, PollBits.UNIX);
        writeWakeUp(PollConstants.POLLIN);
    }

    @Override
    void set(ByteBuffer structures, int at, long descriptor, int events) {
        Pollfd.set(structures, at, (int) descriptor, events);
    }

    @Override
    int revents(ByteBuffer structures, int at) {
        return Pollfd.revents(structures, at);
    }

    @Override
    int poll(long structures, int count, int timeoutMillis) {
        return posix.poll(structures, count, timeoutMillis);
    }
}
