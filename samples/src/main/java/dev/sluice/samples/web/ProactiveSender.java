package dev.sluice.samples.web;

import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.AsyncStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Initiates the operations that send the replies of one connection, one at a time, and takes their results. For the
 * loop thread.
 */
final class ProactiveSender {

    private final ProactiveLoop loop;
    private final AsyncStream stream;
    private final Transmission transmission;
    private final ByteBuffer[] gathered = new ByteBuffer[2];
    private boolean busy;
    /** The part of a file that is being sent from memory, or null. */
    private ByteBuffer piece;
    private int pieceStart;
    /** What the piece has been read into, or null. */
    private ByteBuffer buffer;
    /** How much of the file is being transmitted. */
    private long transmitting;

    ProactiveSender(ProactiveLoop loop, AsyncStream stream, Transmission transmission) {
        this.loop = loop;
        this.stream = stream;
        this.transmission = transmission;
    }

    /** {@return whether an operation is in flight} */
    boolean isBusy() {
        return busy;
    }

    /**
     * Begins a step: something of the transmission is sent.
     *
     * @param reader the token of a read
     * @throws IOException if the file is shorter than announced, or the system refuses to map it
     */
    void begin(ProactiveHandler reader) throws IOException {
        if (transmission.fileLeft() == 0) {
            send(transmission.content());
        } else if (loop.fileIo() == FileIo.TRANSMIT && !transmission.isSmall()) {
            transmit();
        } else {
            ByteBuffer mapped = loop.fileIo() == FileIo.MMAP ? transmission.mapped(Transmission.PIECE) : null;
            if (mapped != null) {
                sendPiece(mapped);
            } else {
                read(reader);
            }
        }
    }

    private void transmit() {
        if (transmission.head().hasRemaining()) {
            stream.send(transmission.head(), null);
        } else {
            transmitting = Math.min(transmission.fileLeft(), Transmission.PIECE);
            stream.transmitFile(transmission.reply().file().file(), transmission.filePosition(), transmitting, null);
        }
        busy = true;
    }

    private void read(ProactiveHandler reader) throws IOException {
        AsyncFile file = loop.files().of(transmission.reply().file());
        buffer = loop.takeBuffer();
        buffer.limit((int) Math.min(transmission.fileLeft(), buffer.capacity()));
        file.read(buffer, transmission.filePosition(), reader);
        busy = true;
    }

    private void sendPiece(ByteBuffer part) {
        piece = part;
        pieceStart = part.position();
        send(part);
    }

    /** Sends what is left of the head, and then this. */
    private void send(ByteBuffer body) {
        if (!transmission.head().hasRemaining()) {
            stream.send(body, null);
        } else if (!body.hasRemaining()) {
            stream.send(transmission.head(), null);
        } else {
            gathered[0] = transmission.head();
            gathered[1] = body;
            stream.send(gathered, 0, 2, null);
        }
        busy = true;
    }

    /**
     * Goes on with the step: sends what has been read.
     *
     * @throws IOException if the file is shorter than announced
     */
    void sendRead() throws IOException {
        busy = false;
        transmission.requireFile(buffer.position() > 0);
        sendPiece(buffer.flip());
    }

    /** Nothing is in flight any more, and the step goes no further, whatever has become of it. */
    void stepEnded() {
        busy = false;
        if (piece != null) {
            // That of a failed operation tells, too.
            transmission.fileSent(piece.position() - pieceStart);
            piece = null;
        }
        if (buffer != null) {
            loop.giveBack(buffer);
            buffer = null;
        }
    }

    /**
     * A part of a file has been transmitted.
     *
     * @param count of octets
     * @throws IOException if the file is shorter than announced
     */
    void transmitted(long count) throws IOException {
        transmission.fileSent(count);
        transmission.requireFile(count == transmitting);
    }
}
