package dev.sluice.samples.io;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Drives the protocol handler of one connection by completions: handles each completion, and initiates the next
 * operation. It is both the completion handler and the proactive initiator of the Proactor paper.
 *
 * <p>At most one receive and one operation of the {@link ProactiveSender} are in flight. The connection ends when both
 * have completed, since until then the system may use their buffers.
 *
 * <p>It takes its lock in each hook: on a proactor that many threads run, completions of the socket and of a file, the
 * sweep and the stop may come at the same time. With one thread it is never contended.
 */
final class ProactiveHandler implements CompletionHandler, Connections.Finishing {

    private final ProactiveLoop loop;
    private final AsyncStream stream;
    private final ProtocolHandler protocol;
    private final ProactiveSender sender;
    private final Backlog backlog;
    /**
     * What those are received into who have sent far ahead, until they have sent nothing ahead. What a continuous
     * receive brings before it has been cancelled may be megabytes, and if many do that, more than there is memory for.
     * Null for all others.
     */
    private ByteBuffer ahead;
    private boolean isReceiving;
    private boolean stopsReceiving;
    /** What tells the receive that is in flight. */
    private long ticket;
    private boolean endOfStream;
    private boolean closed;
    /** Whether it is to leave at the next request boundary. */
    private boolean moving;
    /** Whether another thread is making the message. */
    private boolean awaiting;
    /** The reason why this ends once the held back messages have been sent; null if it does not end. */
    private Exception failure;
    /** Whether it sends nothing for a while because it has been fast enough. */
    private boolean paused;

    ProactiveHandler(ProactiveLoop loop, AsyncStream accepted) throws IOException {
        this.loop = loop;
        this.stream = accepted.withHandler(this);
        this.protocol = loop.newHandler(accepted.stream());
        this.backlog = new Backlog(loop.backlogs());
        this.sender = new ProactiveSender(loop, stream, protocol.transmission());
        protocol.awaitedBy(this::madeElsewhere);
    }

    synchronized void open() {
        loop.connections().add(this);
        advanceOrEnd();
    }

    private void advance() throws IOException {
        boolean more = true;
        while (more && !closed) {
            more = step();
        }
    }

    /** Does what is next; returns whether there is more to do before a completion comes. */
    private boolean step() throws IOException {
        ProtocolHandler.Next next = protocol.next();
        boolean endsPipeline = next == ProtocolHandler.Next.HALF_CLOSE || next == ProtocolHandler.Next.AWAIT
                || next == ProtocolHandler.Next.RECEIVE && !backlog.octets().hasRemaining();
        if (sender.holdsBack() && endsPipeline) {
            sendCorked();
            return false;
        }
        switch (next) {
            case RECEIVE -> {
                return receive();
            }
            case SEND -> {
                return !sender.isBusy() && !paused && send();
            }
            case HALF_CLOSE -> {
                // With octets unread, the close would reset the connection.
                if (protocol.closesAtOnce() && hasReadAll()) {
                    protocol.sendEnd();
                    end();
                    return false;
                }
                // Not as an operation: this never waits, and io_uring would hand it to another thread.
                stream.stream().shutdownOutput();
                protocol.halfClosed();
            }
            case AWAIT -> {
                if (!awaiting && !sender.isBusy()) {
                    awaiting = true;
                    protocol.makeElsewhere();
                }
                return false;
            }
            case CLOSE -> end();
        }
        return true;
    }

    /** Returns whether nothing is left unread in the socket, as far as is known. */
    private boolean hasReadAll() {
        return endOfStream || isReceiving && !stopsReceiving;
    }

    private void sendCorked() {
        if (!sender.isBusy()) {
            sender.sendCorked();
            protocol.heldBackLeaves(true);
        }
    }

    /** Returns whether the message has gone already, as far as the protocol is concerned. */
    private boolean send() throws IOException {
        if (sender.holdBack(backlog.octets().hasRemaining())) {
            if (protocol.transmission().fileLeft() == 0) {
                protocol.sent();
                return true;
            }
            holdFileBack();
        } else if (sender.holdsBack()) {
            sendCorked();
        } else {
            sendOrPause();
        }
        return false;
    }

    private void holdFileBack() {
        try {
            sender.holdFileBack(this);
        } catch (IOException | RuntimeException e) {
            endAfterCorked(e);
        }
    }

    private void sendOrPause() throws IOException {
        long pause = protocol.transmission().throttle().pause();
        if (pause > 0) {
            paused = true;
            loop.proactor().schedule(token -> resume(), null, Duration.ofNanos(pause));
        } else {
            sender.begin(this);
        }
    }

    private synchronized void resume() {
        paused = false;
        if (!closed) {
            advanceOrEnd();
        }
    }

    /** Returns whether there was something to go on with. */
    private boolean receive() throws IOException {
        if (backlog.octets().hasRemaining()) {
            protocol.received(backlog.octets());
            backlog.trim();
        } else if (endOfStream) {
            protocol.endOfStream();
        } else if (isReceiving) {
            if (!protocol.mayWait() || isLeaving()) {
                stopReceiving();
            }
            return false;
        } else if (isLeaving()) {
            leave();
        } else if (protocol.mayWait()) {
            ticket = ahead == null ? stream.receiveContinuously(null) : stream.receive(ahead.clear(), null);
            isReceiving = true;
            return false;
        } else {
            receiveNow();
        }
        return true;
    }

    private boolean isLeaving() {
        return moving && protocol.mayWait() && protocol.mayMove() && !sender.isBusy();
    }

    /** Nothing is in flight, and nothing has been received that has not been answered. */
    private void leave() {
        closed = true;
        SocketStream leaving = stream.detach();
        backlog.clear();
        releaseWhenIdle();
        loop.connections().handOn(leaving);
    }

    private void stopReceiving() {
        if (isReceiving && !stopsReceiving) {
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
            protocol.nothingThere();
        }
        loop.release(in);
    }

    private void take(ByteBuffer in) throws IOException {
        if (protocol.next() == ProtocolHandler.Next.RECEIVE && !backlog.octets().hasRemaining()) {
            protocol.received(in);
        }
        if (in.hasRemaining()) {
            backlog.append(in);
        }
    }

    // The completion handler

    @Override
    public void handleCompletion(Completion completion) throws IOException {
        switch (completion.type()) {
            case SEND -> sent(completion);
            case TRANSMIT_FILE -> transmitted(completion);
            case POST -> messageMade(completion.isSuccess());
            default -> received(completion);
        }
    }

    private synchronized void received(Completion completion) throws IOException {
        boolean stopped = stopsReceiving && completion.isCancelled();
        if (completion.isLast()) {
            isReceiving = false;
            stopsReceiving = false;
        }
        if (!closed) {
            take(completion);
        }
        endOfStream |= completion.isEndOfStream();
        if (closed || completion.isSuccess() || stopped) {
            proceed();
        } else {
            throw completion.error();
        }
    }

    /** Takes what a receive has brought, if it has brought anything. */
    private void take(Completion completion) throws IOException {
        ProvidedBuffer buffer = completion.buffer();
        if (buffer != null) {
            // Not retained: those who ask and do not read could keep all buffers from the others.
            take(buffer.bytes());
            if (backlog.octets().remaining() > Backlog.SMALL) {
                stopReceiving();
                ahead = ahead == null ? Bindings.current().memory().allocateBuffer(Backlog.SMALL) : ahead;
            }
        } else if (completion.bytesTransferred() > 0) {
            take(ahead.flip());
            if (!backlog.octets().hasRemaining()) {
                ahead = null;
            }
        }
    }

    private synchronized void sent(Completion completion) throws IOException {
        boolean ofBefore = sender.isSendingCorked();
        sender.stepEnded();
        if (ofBefore && completion.isSuccess()) {
            if (!sender.holdsBack()) {
                protocol.heldBackLeft();
            }
            // The protocol took it for sent when it was held back.
            goOnOrEnd();
        } else {
            goOnSending(completion);
        }
    }

    private synchronized void transmitted(Completion completion) throws IOException {
        sender.stepEnded();
        if (completion.isSuccess()) {
            sender.transmitted(completion.bytesTransferred());
        }
        goOnSending(completion);
    }

    /** A read that was started with this handler as its token is over. Must not throw. */
    synchronized void completeRead(Completion completion) {
        if (closed || completion.isSuccess()) {
            hasRead();
            return;
        }
        try {
            sender.stepEnded();
            goOnSending(completion);
        } catch (IOException | RuntimeException e) {
            endAfterCorked(e);
        }
    }

    /** A read is over, by completion or without; it has succeeded unless this is closed. Must not throw. */
    synchronized void hasRead() {
        try {
            if (closed) {
                sender.stepEnded();
                releaseWhenIdle();
            } else if (sender.takeRead()) {
                protocol.sent();
                advance();
            }
        } catch (IOException | RuntimeException e) {
            endAfterCorked(e);
        }
    }

    /** The messages that are held back are whole, and leave before the failure of the next one ends the connection. */
    private void endAfterCorked(Exception cause) {
        if (closed || !sender.holdsBack()) {
            handleFailure(stream.handle(), cause);
            return;
        }
        failure = cause;
        try {
            sender.sendCorked();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
            handleFailure(stream.handle(), cause);
        }
    }

    private void goOnOrEnd() throws IOException {
        if (failure == null || closed) {
            proceed();
        } else {
            handleFailure(stream.handle(), failure);
        }
    }

    private void goOnSending(Completion completion) throws IOException {
        if (closed || completion.isSuccess()) {
            if (!closed) {
                protocol.sent();
            }
            proceed();
            return;
        }
        if (protocol.transmission().file() != null) {
            // The more telling reason: it fails with EFAULT when a mapped file has been cut.
            protocol.transmission().requireWhole();
        }
        throw completion.error();
    }

    private void proceed() throws IOException {
        if (closed) {
            releaseWhenIdle();
        } else {
            advance();
        }
    }

    // The message that another thread makes

    private void madeElsewhere() {
        try {
            // Not as a task: those are run by one thread at a time, and sending may keep that thread.
            loop.proactor().post(this, null, 0);
        } catch (IllegalStateException e) {
            // The loop has ended, and so does the connection.
            messageMade(false);
        }
    }

    private synchronized void messageMade(boolean goesOn) {
        awaiting = false;
        if (closed) {
            releaseWhenIdle();
        } else if (goesOn) {
            protocol.takeMessage();
            advanceOrEnd();
        } else {
            end();
        }
    }

    // The end

    @Override
    public synchronized void finish() {
        protocol.finish();
        advanceOrEnd();
    }

    @Override
    public synchronized void move() {
        if (!closed && loop.mayLeave()) {
            moving = true;
            advanceOrEnd();
        }
    }

    @Override
    public boolean isLate(long now) {
        return protocol.deadline() - now <= 0;
    }

    @Override
    public synchronized void expire() {
        // Unless something has been received since the sweep checked.
        if (!closed && isLate(System.nanoTime())) {
            expireOrEnd();
        }
    }

    private void expireOrEnd() {
        try {
            protocol.expire();
            advance();
        } catch (IOException | RuntimeException e) {
            handleFailure(stream.handle(), e);
        }
    }

    private void advanceOrEnd() {
        try {
            advance();
        } catch (IOException | RuntimeException e) {
            handleFailure(stream.handle(), e);
        }
    }

    @Override
    public synchronized void handleFailure(Handle handle, Throwable cause) {
        // The completion of a message that another thread has made is not of a handle.
        loop.logFailure(stream.handle(), cause);
        end();
    }

    /** Ends the connection; operations in flight complete as cancelled. */
    private void end() {
        closed = true;
        stream.close();
        backlog.clear();
        releaseWhenIdle();
    }

    private void releaseWhenIdle() {
        if (awaiting) {
            protocol.unwanted();
        } else if (!isReceiving && !sender.isBusy()) {
            sender.close();
            protocol.close();
            loop.connections().remove(this);
        }
    }
}
