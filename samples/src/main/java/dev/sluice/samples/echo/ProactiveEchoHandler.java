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

    private static final int MOST_IN_FLIGHT = 4;
    /** Buffers received in a row at the end: more than a socket's own buffer holds, so that none is left over. */
    private static final int FAIR_SHARE = 128;

    private final AsyncStream stream;
    private final Connections connections;
    private final EchoBuffers buffers;
    /** The ticket of the continuous receive. */
    private long receiving;
    private boolean isReceiving;
    private int sending;
    /** Whether nothing more will be received. */
    private boolean ended;
    private boolean finishing;

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
            send(completion.buffer());
            return;
        }
        isReceiving = false;
        // It ends by the peer's will, by a failure, or because we have cancelled it.
        switch (completion.status()) {
            case SUCCEEDED -> ended = true;
            case FAILED -> fail(completion);
            case CANCELLED -> receiveRest();
        }
        goOn();
    }

    private void send(ProvidedBuffer received) {
        Object held = buffers.hold(received);
        stream.send(held instanceof ByteBuffer copy ? copy : received.buffer(), held);
        sending++;
        if (sending == MOST_IN_FLIGHT) {
            stream.cancel(receiving);
        }
    }

    @Override
    public void handleSend(Completion completion) {
        sending--;
        if (completion.token() != null) {
            buffers.giveBack(completion.token());
        }
        if (!completion.isSuccess()) {
            fail(completion);
        }
        goOn();
    }

    private void goOn() {
        if (isReceiving || sending > 0) {
            return;
        }
        if (ended) {
            stream.close();
            connections.remove(this);
        } else {
            receive();
        }
    }

    private void fail(Completion completion) {
        // Peers break connections all the time; it is news only to who looks for it.
        LOG.debug("{}", stream, completion.error());
        ended = true;
        // What else is in flight comes back as cancelled.
        stream.close();
    }

    @Override
    public void finish() {
        finishing = true;
        stream.cancel(receiving);
    }

    /** At the stop: what has come before the receiving was cancelled is still in the socket. */
    private void receiveRest() throws IOException {
        if (!finishing || ended) {
            return;
        }
        ended = true;
        for (int turn = 0; turn < FAIR_SHARE; turn++) {
            ByteBuffer rest = ByteBuffer.allocateDirect(64 * 1024);
            if (stream.stream().receive(rest) <= 0) {
                return;
            }
            stream.send(rest.flip(), null);
            sending++;
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        LOG.debug("{}", stream, cause);
        ended = true;
        stream.close();
        goOn();
    }
}
