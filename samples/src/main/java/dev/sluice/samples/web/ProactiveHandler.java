package dev.sluice.samples.web;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.CompletionStatus;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Drives one connection by completions: each is taken as its outcome tells, and the next operation is initiated. JAWS
 * calls this part the HTTP handler, which is completion handler and initiator in one.
 *
 * <p>One continuous receive and one operation of the {@link ProactiveSender} are in flight at most. The connection ends
 * when both are over, for until then the system may use what they were given.
 */
final class ProactiveHandler implements CompletionHandler, Connections.Finishing, DeadlineSweep.Expiring {

    /** Who has sent more than this before it is its turn has to wait. */
    private static final int MOST_AHEAD = 16 * 1024;

    private final ProactiveLoop loop;
    private final AsyncStream stream;
    private final HttpConnection connection;
    private final ProactiveSender sender;
    private final Backlog backlog = new Backlog();
    private boolean isReceiving;
    private boolean stopsReceiving;
    /** What tells the receive that is in flight. */
    private long ticket;
    private boolean endOfStream;
    private boolean closed;

    ProactiveHandler(ProactiveLoop loop, SocketStream peer) throws IOException {
        this.loop = loop;
        this.stream = new AsyncStream(loop.proactor(), peer, this);
        this.connection = loop.newConnection(peer);
        this.sender = new ProactiveSender(loop, stream, connection.transmission());
    }

    void open() {
        loop.add(this);
        advanceOrEnd();
    }

    private void advance() throws IOException {
        boolean more = true;
        while (more && !closed) {
            more = step();
        }
    }

    /** Does what is next; tells whether there is more to do before a completion comes. */
    private boolean step() throws IOException {
        switch (connection.next()) {
            case RECEIVE -> {
                return receive();
            }
            case SEND -> {
                if (!sender.isBusy()) {
                    sender.begin(this);
                }
                return false;
            }
            case HALF_CLOSE -> {
                // Not as an operation: this never waits, and io_uring would hand it to another thread.
                stream.stream().shutdownOutput();
                connection.halfClosed();
            }
            case CLOSE -> end();
        }
        return true;
    }

    /** Tells whether there was something to go on with. */
    private boolean receive() throws IOException {
        if (backlog.octets().hasRemaining()) {
            connection.received(backlog.octets());
            backlog.trim();
        } else if (endOfStream) {
            connection.endOfStream();
        } else if (isReceiving) {
            if (!connection.mayWait()) {
                stopReceiving();
            }
            return false;
        } else if (connection.mayWait()) {
            ticket = stream.receiveContinuously(null);
            isReceiving = true;
            return false;
        } else {
            receiveNow();
        }
        return true;
    }

    private void stopReceiving() {
        if (!stopsReceiving) {
            stopsReceiving = true;
            stream.cancel(ticket);
        }
    }

    /** At the stop: what came after the receiving was cancelled is still in the socket. */
    private void receiveNow() throws IOException {
        ByteBuffer in = loop.takeBuffer();
        int received = stream.stream().receive(in);
        if (received > 0) {
            take(in.flip());
        } else if (received == SocketStream.END_OF_STREAM) {
            endOfStream = true;
        } else {
            connection.nothingThere();
        }
        loop.giveBack(in);
    }

    private void take(ByteBuffer in) {
        if (connection.next() == HttpConnection.Next.RECEIVE && !backlog.octets().hasRemaining()) {
            connection.received(in);
        }
        if (in.hasRemaining()) {
            backlog.append(in);
        }
    }

    // The completion handler

    @Override
    public void handleReceive(Completion completion) throws IOException {
        boolean stopped = stopsReceiving && completion.status() == CompletionStatus.CANCELLED;
        if (completion.isLast()) {
            isReceiving = false;
            stopsReceiving = false;
        }
        ProvidedBuffer buffer = completion.buffer();
        if (buffer != null && !closed) {
            // Not kept: those who ask and do not read could keep all buffers from the others.
            take(buffer.buffer());
            if (backlog.octets().remaining() > MOST_AHEAD) {
                stopReceiving();
            }
        }
        endOfStream |= completion.isEnd();
        if (closed || completion.isSuccess() || stopped) {
            goOn();
        } else {
            throw completion.error();
        }
    }

    @Override
    public void handleSend(Completion completion) throws IOException {
        sender.stepEnded();
        goOnSending(completion);
    }

    @Override
    public void handleTransmitFile(Completion completion) throws IOException {
        sender.stepEnded();
        if (completion.isSuccess()) {
            sender.transmitted(completion.bytesTransferred());
        }
        goOnSending(completion);
    }

    /** A read that was started with this handler as its token is over. Must not throw. */
    void completeRead(Completion completion) {
        try {
            if (closed || !completion.isSuccess()) {
                sender.stepEnded();
                goOnSending(completion);
            } else {
                sender.sendRead();
            }
        } catch (IOException | RuntimeException e) {
            handleFailure(stream.handle(), e);
        }
    }

    private void goOnSending(Completion completion) throws IOException {
        if (closed || completion.isSuccess()) {
            if (!closed) {
                connection.sent();
            }
            goOn();
            return;
        }
        if (connection.transmission().reply().file() != null) {
            // The more telling reason: it fails with EFAULT when a mapped file has been cut.
            connection.transmission().requireWhole();
        }
        throw completion.error();
    }

    private void goOn() throws IOException {
        if (closed) {
            releaseWhenIdle();
        } else {
            advance();
        }
    }

    // The end

    @Override
    public void finish() {
        connection.finish();
        advanceOrEnd();
    }

    @Override
    public long deadline() {
        return connection.deadline();
    }

    @Override
    public void expire() {
        connection.expire();
        advanceOrEnd();
    }

    private void advanceOrEnd() {
        try {
            advance();
        } catch (IOException | RuntimeException e) {
            handleFailure(stream.handle(), e);
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        loop.logFailure(handle, cause);
        end();
    }

    /** Whatever is in flight comes back as cancelled. */
    private void end() {
        closed = true;
        stream.close();
        releaseWhenIdle();
    }

    private void releaseWhenIdle() {
        if (!isReceiving && !sender.isBusy()) {
            sender.stepEnded();
            connection.close();
            loop.remove(this);
        }
    }
}
