package dev.sluice.samples.echo;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
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
        loop.connections().add(this);
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        if (lingering) {
            discard();
        } else {
            echo();
        }
    }

    private void echo() throws IOException {
        for (int turn = 0; turn < FAIR_SHARE; turn++) {
            ByteBuffer buffer = loop.buffer((MAX_PENDING - pendingCount) * EchoLoop.KEPT_SIZE);
            int room = buffer.remaining();
            int received = peer().receive(buffer);
            if (received == SocketStream.END_OF_STREAM) {
                ended = true;
                endOrAwaitSpace();
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
                awaitSpace();
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

    private void endOrAwaitSpace() {
        if (pendingCount == 0) {
            end();
        } else {
            awaitSpace();
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

    private void awaitSpace() {
        boolean receives = !ended && pendingCount < MAX_PENDING;
        registration().interest(receives ? Interest.READ_WRITE : Interest.WRITE);
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
    public void handleOutput(Registration registration) throws IOException {
        peer().send(pending, 0, pendingCount);
        takeBackSent();
        if (pendingCount > 0) {
            awaitSpace();
        } else if (ended) {
            end();
        } else {
            registration.interest(Interest.READ);
            if (finishing) {
                echo();
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
                echo();
            } catch (IOException e) {
                handleFailure(registration(), e);
                end();
            }
        }
    }

    private void end() {
        registration().close();
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        // Peers often break connections: logged only for debugging.
        LOG.debug("{}", peer(), cause);
    }

    @Override
    public void handleClose(Registration registration) {
        peer().close();
        for (int i = 0; i < pendingCount; i++) {
            loop.takeBack(pending[i]);
        }
        pendingCount = 0;
        loop.connections().remove(this);
    }
}
