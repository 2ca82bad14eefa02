package dev.sluice.demultiplexer.poll;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.calls.layout.Wsapollfd;
import dev.sluice.demultiplexer.handleset.PollBits;
import dev.sluice.demultiplexer.handleset.SocketsOnly;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The handle set of {@code WSAPoll}: an array of {@code WSAPOLLFD}. */
public final class WsapollDemultiplexer extends PollArrayDemultiplexer {

    /** The name by which it is chosen. */
    public static final String NAME = "wsapoll";

    private final Windows windows = Bindings.current().windows();

    /** Opens a demultiplexer with an empty set. */
    public WsapollDemultiplexer() throws IOException {
        super(NAME, Wsapollfd.SIZE, PollBits.WINDOWS);
        writeWakeUp(WinsockConstants.POLLRDNORM);
    }

    @Override
    protected void requireFit(long descriptor, Handle handle) throws IOException {
        SocketsOnly.require(NAME, handle);
    }

    @Override
    void set(ByteBuffer structures, int at, long descriptor, int events) {
        Wsapollfd.set(structures, at, descriptor, events);
    }

    // WSAPoll sets POLLNVAL in a structure that it skips.
    @Override
    int revents(ByteBuffer structures, int at) {
        return Wsapollfd.socket(structures, at) < 0 ? 0 : Wsapollfd.revents(structures, at);
    }

    @Override
    int poll(long structures, int count, int timeoutMillis) {
        return WindowsError.toErrno(windows.WSAPoll(structures, count, timeoutMillis));
    }
}
