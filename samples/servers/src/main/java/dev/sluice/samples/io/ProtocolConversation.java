package dev.sluice.samples.io;

import dev.sluice.calls.Bindings;
import dev.sluice.handle.SocketStream;
import dev.sluice.samples.conversation.Conversation;
import dev.sluice.samples.conversation.KernelWait;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Moves the octets of one connection itself, in quanta: each proceeds until the socket would block, or other
 * connections have to be served. Readiness or a waiting thread starts the next one.
 */
final class ProtocolConversation implements Conversation {

    /** Steps in a row; the longest one sends a piece of a file. */
    private static final int FAIR_SHARE = 16;
    /** What most requests fit into. */
    private static final int AWAITED_SIZE = 2048;

    private final ConversationLoop loop;
    private final SocketStream peer;
    private final ProtocolHandler protocol;
    private final Cork cork = new Cork();
    /** The reason why this ends once the held back messages have been sent; null if it does not end. */
    private IOException failure;
    /** What has been received and not been taken; null if there is nothing. */
    private ByteBuffer rest;
    /** Where a thread that waits for this connection alone receives; null if none has yet. */
    private ByteBuffer awaited;
    /** Whether the last receive of this turn has left the socket empty. */
    private boolean emptied;
    private volatile boolean finishing;
    private volatile boolean moving;
    private volatile boolean waiting = true;
    /** Null if a thread waits for this connection alone, or for what its messages are made of. */
    private Elsewhere elsewhere;

    ProtocolConversation(ConversationLoop loop, SocketStream peer) throws IOException {
        this.loop = loop;
        this.peer = peer;
        this.protocol = loop.newHandler(peer);
    }

    @Override
    public Next advance(long since) throws IOException {
        waiting = false;
        IterationScratch scratch = loop.takeScratch();
        try {
            return runQuantum(scratch);
        } finally {
            keepRest(scratch);
            cork.vacate(scratch.heldBack());
            loop.release(scratch);
            waiting = true;
        }
    }

    private Next runQuantum(IterationScratch scratch) throws IOException {
        if (finishing) {
            protocol.finish();
        }
        emptied = false;
        Next awaits = null;
        for (int step = 0; awaits == null && step < FAIR_SHARE; step++) {
            holdBack(scratch);
            awaits = step(scratch);
        }
        return awaits == null ? Next.ANOTHER_QUANTUM : awaits;
    }

    /** Answers requests that have come together without sending anything yet, as long as that is possible. */
    private void holdBack(IterationScratch scratch) throws IOException {
        Transmission transmission = protocol.transmission();
        while (failure == null && protocol.next() == ProtocolHandler.Next.SEND && (rest != null || !cork.isEmpty())
                && cork.hasSpaceFor(transmission)) {
            try {
                transmission.copyTo(cork.fill(scratch.heldBack()));
            } catch (IOException e) {
                // The messages before this one are whole.
                failure = e;
                return;
            }
            protocol.sent();
            if (rest != null && protocol.next() == ProtocolHandler.Next.RECEIVE) {
                take(rest);
            }
        }
    }

    /** Does what is next; tells what to wait for, or null if there is more to do without. */
    private Next step(IterationScratch scratch) throws IOException {
        ProtocolHandler.Next next = protocol.next();
        boolean isOver = next == ProtocolHandler.Next.CLOSE;
        boolean goesOn = failure == null && next == ProtocolHandler.Next.RECEIVE && rest != null;
        if (!cork.isEmpty() && !isOver && !goesOn) {
            return sendCorked();
        }
        if (failure != null) {
            throw failure;
        }
        switch (next) {
            case RECEIVE -> {
                if (moving && !finishing && rest == null && protocol.mayMove()) {
                    return Next.MOVE;
                }
                return receive(scratch) || expires() ? null : Next.RECEIVE;
            }
            case SEND -> {
                if (protocol.transmission().throttle().pause() > 0) {
                    return Next.PAUSE;
                }
                if (scratch.sender().send(protocol.transmission(), peer)) {
                    protocol.sent();
                    return null;
                }
                return expires() ? null : Next.SEND;
            }
            case HALF_CLOSE -> {
                // With octets unread, the close would reset the connection.
                if (protocol.closesAtOnce() && emptied) {
                    protocol.sendEnd();
                    return Next.CLOSE;
                }
                peer.shutdownOutput();
                protocol.halfClosed();
                return null;
            }
            case AWAIT -> {
                return elsewhere.await() ? null : Next.AWAIT;
            }
            default -> {
                return Next.CLOSE;
            }
        }
    }

    private Next sendCorked() throws IOException {
        ByteBuffer octets = cork.leave();
        boolean moved = peer.send(octets) > 0;
        if (octets.hasRemaining()) {
            protocol.heldBackLeaves(moved);
        } else {
            cork.empty();
            protocol.heldBackLeft();
        }
        return moved || expires() ? null : Next.SEND;
    }

    /** Returns whether there is something to go on with. */
    private boolean receive(IterationScratch scratch) throws IOException {
        ByteBuffer in = rest;
        if (in == null) {
            if (emptied) {
                // Another look would cost a call for nothing.
                return false;
            }
            in = scratch.buffer().clear();
            int received = peer.receive(in);
            if (received == SocketStream.END_OF_STREAM) {
                protocol.endOfStream();
                return true;
            }
            if (received == 0) {
                protocol.nothingThere();
                return protocol.next() != ProtocolHandler.Next.RECEIVE;
            }
            emptied = in.hasRemaining() && !protocol.isFinishing();
            in.flip();
        }
        take(in);
        return true;
    }

    private void take(ByteBuffer in) throws IOException {
        protocol.received(in);
        rest = in.hasRemaining() ? in : null;
    }

    /** There is nothing to do: tells whether that has lasted for too long. */
    private boolean expires() throws IOException {
        if (left() > 0) {
            return false;
        }
        protocol.expire();
        return true;
    }

    private long left() {
        return protocol.deadline() - System.nanoTime();
    }

    /** Requests that are pipelined behind a reply that has to wait; others need the scratch meanwhile. */
    private void keepRest(IterationScratch scratch) {
        if (rest == scratch.buffer()) {
            rest = ByteBuffer.allocate(rest.remaining()).put(rest).flip();
        }
    }

    @Override
    public long pause() {
        return protocol.transmission().throttle().pause();
    }

    @Override
    public boolean await(Next next) throws IOException {
        try {
            Duration longest = Duration.ofNanos(Math.max(0, left()));
            if (next == Next.RECEIVE) {
                return awaitInput(longest);
            }
            awaitOutput(longest);
        } catch (SocketTimeoutException e) {
            // The next turn finds nothing to do, and that it is late.
            return true;
        }
        return true;
    }

    private boolean awaitInput(Duration longest) throws IOException {
        if (awaited == null) {
            awaited = Bindings.current().memory().allocateBuffer(AWAITED_SIZE);
        }
        // There is no rest now, or it would not wait for more.
        if (!KernelWait.receive(peer, awaited.clear(), longest)) {
            return false;
        }
        rest = awaited.flip();
        return true;
    }

    private void awaitOutput(Duration longest) throws IOException {
        if (!cork.isEmpty()) {
            KernelWait.send(peer, cork.leave(), longest);
            cork.empty();
            protocol.heldBackLeft();
            return;
        }
        IterationScratch scratch = loop.takeScratch();
        try {
            if (scratch.sender().sendPatiently(protocol.transmission(), peer, longest)) {
                protocol.sent();
            }
        } finally {
            loop.release(scratch);
        }
    }

    @Override
    public void wokenBy(Runnable waker) {
        elsewhere = new Elsewhere(protocol, waker);
    }

    // For any thread

    @Override
    public boolean isLate(long now) {
        return waiting && protocol.deadline() - now <= 0;
    }

    @Override
    public boolean goesOnSending() throws IOException {
        return protocol.goesOnSending();
    }

    @Override
    public boolean finish() {
        finishing = true;
        return true;
    }

    @Override
    public void move() {
        moving = true;
    }

    @Override
    public void close() {
        if (elsewhere == null) {
            protocol.close();
        } else {
            elsewhere.close();
        }
    }
}
