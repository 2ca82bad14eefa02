package dev.sluice.samples.io;

import dev.sluice.calls.Bindings;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.samples.conversation.KernelWait;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages as far as sockets take them. For one thread at a time. */
final class ConversationSender {

    private static final Logger LOG = LoggerFactory.getLogger(ConversationSender.class);
    private static final int BUFFER_SIZE = 64 * 1024;

    private final ByteBuffer buffer = Bindings.current().memory().allocateBuffer(BUFFER_SIZE);
    private final ByteBuffer[] gathered = new ByteBuffer[2];

    /** Takes a step without waiting; returns whether the socket took anything, or there is nothing to take. */
    boolean send(Transmission transmission, SocketStream peer) throws IOException {
        if (transmission.isDone()) {
            return true;
        }
        convert(transmission);
        if (transmission.isConverted() || transmission.fileLeft() == 0) {
            return send(transmission, transmission.content(), peer);
        }
        FileIo way = transmission.fileIo();
        if (way == FileIo.TRANSMIT) {
            return transmission.head().hasRemaining() ? sendHead(transmission, peer) : transmit(transmission, peer);
        }
        ByteBuffer piece = way == FileIo.MMAP ? transmission.mapped(transmission.piece()) : null;
        if (piece == null) {
            piece = transmission.read(buffer.clear());
        }
        int start = piece.position();
        boolean moved;
        try {
            moved = send(transmission, piece, peer);
        } catch (SystemCallException e) {
            // The more telling reason: it fails with EFAULT when a mapped file has been cut since the last look.
            transmission.requireWhole();
            throw e;
        }
        transmission.fileSent(piece.position() - start);
        return moved;
    }

    /**
     * Takes a step, waiting in the kernel; returns whether the socket took anything.
     *
     * @param longest to wait for the whole step
     */
    boolean sendPatiently(Transmission transmission, SocketStream peer, Duration longest) throws IOException {
        if (transmission.head().hasRemaining()) {
            return sendPatiently(transmission, transmission.head(), peer, longest) > 0;
        }
        convert(transmission);
        if (transmission.isConverted() || transmission.fileLeft() == 0) {
            return sendPatiently(transmission, transmission.content(), peer, longest) > 0;
        }
        // Once: the steps after this one find room again, and take whichever way files take.
        int sent = sendPatiently(transmission, transmission.read(buffer.clear()), peer, longest);
        transmission.fileSent(sent);
        return sent > 0;
    }

    private void convert(Transmission transmission) throws IOException {
        if (transmission.needsPiece()) {
            transmission.convert(transmission.read(buffer.clear()));
        }
    }

    private static int sendPatiently(Transmission transmission, ByteBuffer octets, SocketStream peer, Duration longest)
            throws IOException {
        int start = octets.position();
        int end = octets.limit();
        octets.limit(start + transmission.throttle().share(end - start));
        try {
            KernelWait.send(peer, octets, longest);
        } catch (SocketTimeoutException e) {
            LOG.debug("{} is slow", peer, e);
        } finally {
            octets.limit(end);
        }
        int sent = octets.position() - start;
        transmission.throttle().spend(sent);
        return sent;
    }

    private static boolean sendHead(Transmission transmission, SocketStream peer) throws IOException {
        int sent = peer.sendBeforeMore(transmission.head());
        transmission.throttle().spend(sent);
        return sent > 0;
    }

    /** Sends what is left of the head, and then as much of this as may go. */
    private boolean send(Transmission transmission, ByteBuffer body, SocketStream peer) throws IOException {
        int end = body.limit();
        body.limit(body.position() + transmission.throttle().share(body.remaining()));
        long sent;
        try {
            sent = sendAll(transmission.head(), body, peer);
        } finally {
            body.limit(end);
        }
        transmission.throttle().spend(sent);
        return sent > 0;
    }

    private long sendAll(ByteBuffer first, ByteBuffer second, SocketStream peer) throws IOException {
        if (!first.hasRemaining()) {
            return peer.send(second);
        }
        gathered[0] = first;
        gathered[1] = second;
        return peer.send(gathered, 0, 2);
    }

    private static boolean transmit(Transmission transmission, SocketStream peer) throws IOException {
        long sent = peer.sendFile(transmission.file().file(), transmission.filePosition(),
                Math.min(transmission.fileLeft(), transmission.transmittedPiece()));
        transmission.requireFile(sent >= 0);
        transmission.throttle().spend(sent);
        transmission.fileSent(sent);
        return sent > 0;
    }
}
