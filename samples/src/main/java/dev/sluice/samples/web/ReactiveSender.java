package dev.sluice.samples.web;

import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends replies as far as sockets take them now. One per loop, for its thread. */
final class ReactiveSender {

    private static final int BUFFER_SIZE = 64 * 1024;

    private final FileIo fileIo;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private final ByteBuffer[] gathered = new ByteBuffer[2];

    ReactiveSender(FileIo fileIo) {
        this.fileIo = fileIo;
    }

    /** Takes a step; tells whether the socket took anything. */
    boolean send(Transmission transmission, SocketStream peer) throws IOException {
        if (transmission.fileLeft() == 0) {
            return send(transmission.head(), transmission.content(), peer);
        }
        if (fileIo == FileIo.TRANSMIT && !transmission.isSmall()) {
            return transmission.head().hasRemaining()
                    ? peer.send(transmission.head()) > 0 : transmit(transmission, peer);
        }
        ByteBuffer piece = fileIo == FileIo.MMAP ? transmission.mapped(Transmission.PIECE) : null;
        if (piece == null) {
            piece = transmission.read(buffer.clear());
        }
        int start = piece.position();
        boolean moved;
        try {
            moved = send(transmission.head(), piece, peer);
        } catch (SystemCallException e) {
            // The more telling reason: it fails with EFAULT when a mapped file has been cut since the last look.
            transmission.requireWhole();
            throw e;
        }
        transmission.fileSent(piece.position() - start);
        return moved;
    }

    private boolean send(ByteBuffer first, ByteBuffer second, SocketStream peer) throws IOException {
        if (!first.hasRemaining()) {
            return peer.send(second) > 0;
        }
        gathered[0] = first;
        gathered[1] = second;
        return peer.send(gathered, 0, 2) > 0;
    }

    private static boolean transmit(Transmission transmission, SocketStream peer) throws IOException {
        long sent = peer.sendFile(transmission.reply().file().file(), transmission.filePosition(),
                Math.min(transmission.fileLeft(), Transmission.PIECE));
        transmission.requireFile(sent >= 0);
        transmission.fileSent(sent);
        return sent > 0;
    }
}
