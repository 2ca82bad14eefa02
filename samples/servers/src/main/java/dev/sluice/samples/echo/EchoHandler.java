package dev.sluice.samples.echo;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Echoes one connection. It goes on receiving while the peer takes its time, so that both directions are busy, but only
 * for a few buffers: a peer that never reads costs those and no more.
 */
final class EchoHandler extends ServiceHandler implements Connections.Finishing {

    private static final Logger LOG = LoggerFactory.getLogger(EchoHandler.class);

    /** Buffers received in a row before other connections get their turn. */
    private static final int FAIR_SHARE = 128;
    /** Buffers that may wait for the peer. With one, a peer that has sent much before it reads gets half as much. */
    private static final int MAX_PENDING = 4;

    private final Map<? extends Dispatcher, EchoLoop> loops;
    private EchoLoop loop;
    /** What the peer has not taken yet, in order; null in the usual case that it takes everything at once. */
    private ByteBuffer[] pending;
    private int pendingCount;
    /** Whether the peer has sent everything, and only has to take the rest. */
    private boolean ended;
    private boolean finishing;
    /** Whether bytes were still on their way, in either direction, when the server was asked to stop. */
    private boolean wasBusy;
    /** Whether the end of the echo has been sent, and only the peer's own end is waited for. */
    private boolean lingering;

    EchoHandler(Map<? extends Dispatcher, EchoLoop> loops) {
        this.loops = loops;
    }

    @Override
    protected void open() throws IOException {
        loop = loops.get(dispatcher());
        dispatcher().registerHandler(this, EventType.READ);
        loop.connections().add(this);
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        if (lingering) {
            discard();
        } else {
            echo(handle);
        }
    }

    private void echo(Handle handle) throws IOException {
        for (int turn = 0; turn < FAIR_SHARE; turn++) {
            ByteBuffer buffer = loop.buffer((MAX_PENDING - pendingCount) * EchoLoop.KEPT_SIZE);
            int room = buffer.remaining();
            int received = peer().receive(buffer);
            if (received == SocketStream.END_OF_STREAM) {
                ended = true;
                endOrAwaitSpace(handle);
                return;
            }
            if (received == 0) {
                if (finishing && pendingCount == 0) {
                    endOutput();
                }
                return;
            }
            wasBusy |= finishing;
            buffer.flip();
            if (pendingCount == 0) {
                // Directly, without waiting for readiness: the socket's buffer nearly always has room.
                peer().send(buffer);
            }
            if (buffer.hasRemaining()) {
                keep(buffer);
                awaitSpace(handle);
                if (pendingCount == MAX_PENDING) {
                    return;
                }
            }
            // A buffer that was not filled has emptied the socket; another look would cost a call for nothing.
            if (received < room && !finishing) {
                return;
            }
        }
        // The others get their turn.
    }

    private void endOrAwaitSpace(Handle handle) {
        if (pendingCount == 0) {
            end();
        } else {
            awaitSpace(handle);
        }
    }

    private void keep(ByteBuffer bytes) {
        if (pending == null) {
            pending = new ByteBuffer[MAX_PENDING];
        }
        while (bytes.hasRemaining()) {
            int part = Math.min(bytes.remaining(), EchoLoop.KEPT_SIZE);
            pending[pendingCount++] = loop.spare().put(bytes.slice().limit(part)).flip();
            bytes.position(bytes.position() + part);
        }
    }

    private void awaitSpace(Handle handle) {
        boolean receives = !ended && pendingCount < MAX_PENDING;
        dispatcher().changeEvents(handle, receives ? EventType.READ | EventType.WRITE : EventType.WRITE);
    }

    /**
     * A close while bytes of the peer are in flight resets the connection, and what the peer has not read of its echo
     * is lost (RFC 1122, section 4.2.2.13). So the output is shut down, and a peer that may have something to read
     * closes first.
     */
    private void endOutput() throws IOException {
        if (wasBusy) {
            peer().shutdownOutput();
            lingering = true;
        } else {
            end();
        }
    }

    private void discard() throws IOException {
        for (int turn = 0; turn < FAIR_SHARE; turn++) {
            int received = peer().receive(loop.buffer(Integer.MAX_VALUE));
            if (received == SocketStream.END_OF_STREAM) {
                end();
                return;
            }
            if (received == 0) {
                return;
            }
        }
    }

    @Override
    public void handleOutput(Handle handle) throws IOException {
        peer().send(pending, 0, pendingCount);
        takeBackSent();
        if (pendingCount > 0) {
            awaitSpace(handle);
        } else if (ended) {
            end();
        } else {
            dispatcher().changeEvents(handle, EventType.READ);
            if (finishing) {
                echo(handle);
            }
        }
    }

    private void takeBackSent() {
        int sent = 0;
        while (sent < pendingCount && !pending[sent].hasRemaining()) {
            loop.takeBack(pending[sent++]);
        }
        pendingCount -= sent;
        System.arraycopy(pending, sent, pending, 0, pendingCount);
        Arrays.fill(pending, pendingCount, pendingCount + sent, null);
    }

    @Override
    public void finish() {
        finishing = true;
        wasBusy = pendingCount > 0;
        if (!wasBusy) {
            try {
                echo(handle());
            } catch (IOException e) {
                handleFailure(handle(), e);
                end();
            }
        }
    }

    private void end() {
        dispatcher().removeHandler(this);
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        // Peers often break connections: logged only for debugging.
        LOG.debug("{}", handle, cause);
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        for (int i = 0; i < pendingCount; i++) {
            loop.takeBack(pending[i]);
        }
        pendingCount = 0;
        loop.connections().remove(this);
    }
}
