package dev.sluice.samples.echo;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Echoes one connection. Each buffer that comes is sent as it is, and goes back when it has been sent. A peer that does
 * not read stops the receiving after a few of them, so that it does not use up the buffers of the others.
 */
final class ProactiveEchoHandler implements CompletionHandler, Connections.Finishing {

    private static final Logger LOG = LoggerFactory.getLogger(ProactiveEchoHandler.class);

    private static final int MAX_IN_FLIGHT = 4;
    private static final int REST = 64 * 1024;

    /** How far a connection is. */
    private enum Phase {
        ECHOING,
        /** Asked to stop: echoes what has already come. */
        FINISHING,
        /** The end of the echo has been sent; only the peer's end is awaited. */
        LINGERING,
        ENDED
    }

    private final AsyncStream stream;
    private final Connections connections;
    private final EchoBuffers buffers;
    /** The ticket of the continuous receive. */
    private long receiving;
    private boolean isReceiving;
    private int sending;
    private Phase phase = Phase.ECHOING;
    /** Whether bytes were still on their way, in either direction, when the server was asked to stop. */
    private boolean wasBusy;

    ProactiveEchoHandler(Proactor proactor, SocketStream stream, Connections connections, EchoBuffers buffers)
            throws IOException {
        this.stream = new AsyncStream(proactor, stream, this);
        this.connections = connections;
        this.buffers = buffers;
    }

    void open() {
        receive();
        connections.add(this);
    }

    private void receive() {
        receiving = stream.receiveContinuously(null);
        isReceiving = true;
    }

    @Override
    public void handleReceive(Completion completion) throws IOException {
        if (completion.buffer() != null) {
            if (phase != Phase.LINGERING) {
                wasBusy |= phase == Phase.FINISHING;
                send(completion.buffer());
            }
            return;
        }
        isReceiving = false;
        // It ends by the peer's will, by a failure, or because we have cancelled it to go on later.
        if (completion.isSuccess()) {
            phase = Phase.ENDED;
        } else if (completion.isFailure()) {
            fail(completion);
        }
        goOn();
    }

    private void send(ProvidedBuffer received) {
        Object held = buffers.hold(received);
        stream.send(held instanceof ByteBuffer copy ? copy : received.buffer(), held);
        sending++;
        if (sending == MAX_IN_FLIGHT) {
            stream.cancel(receiving);
        }
    }

    @Override
    public void handleSend(Completion completion) throws IOException {
        sending--;
        if (completion.token() != null) {
            buffers.giveBack(completion.token());
        }
        if (!completion.isSuccess()) {
            fail(completion);
        }
        goOn();
    }

    private void goOn() throws IOException {
        if (isReceiving || sending > 0) {
            return;
        }
        switch (phase) {
            case ECHOING, LINGERING -> receive();
            case FINISHING -> echoRest();
            case ENDED -> end();
        }
    }

    /** What had come before the receiving was cancelled is still in the socket. */
    private void echoRest() throws IOException {
        while (sending < MAX_IN_FLIGHT) {
            ByteBuffer rest = buffers.empty(REST);
            int received = stream.stream().receive(rest);
            if (received <= 0) {
                buffers.giveBack(rest);
                phase = received == SocketStream.END_OF_STREAM ? Phase.ENDED : phase;
                break;
            }
            wasBusy = true;
            stream.send(rest.flip(), rest);
            sending++;
        }
        if (sending == 0) {
            endOutput();
        }
    }

    /**
     * A close while bytes of the peer are in flight resets the connection, and what the peer has not read of its echo
     * is lost (RFC 1122, section 4.2.2.13). So the output is shut down, and a peer that may have something to read
     * closes first.
     */
    private void endOutput() throws IOException {
        if (wasBusy && phase == Phase.FINISHING) {
            stream.stream().shutdownOutput();
            phase = Phase.LINGERING;
            receive();
        } else {
            end();
        }
    }

    private void end() {
        phase = Phase.ENDED;
        stream.close();
        connections.remove(this);
    }

    private void fail(Completion completion) {
        // Peers often break connections: logged only for debugging.
        LOG.debug("{}", stream, completion.error());
        phase = Phase.ENDED;
        // What else is in flight comes back as cancelled.
        stream.close();
    }

    @Override
    public void finish() {
        if (phase != Phase.ECHOING) {
            return;
        }
        phase = Phase.FINISHING;
        wasBusy = sending > 0;
        stream.cancel(receiving);
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        LOG.debug("{}", stream, cause);
        phase = Phase.ENDED;
        stream.close();
        if (!isReceiving && sending == 0) {
            end();
        }
    }
}
