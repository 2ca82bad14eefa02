package dev.sluice.samples.io;

import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.AsyncStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Initiates the operations that send the messages of one connection, one at a time, and takes their results. For one
 * thread at a time.
 */
final class ProactiveSender {

    private final ProactiveLoop loop;
    private final AsyncStream stream;
    private final Transmission transmission;
    private final ByteBuffer[] gathered = new ByteBuffer[2];
    private boolean busy;
    /** What is being sent, perhaps not to its end, which is at the limit; or null. */
    private ByteBuffer limited;
    private int limit;
    /** The part of a file that is being sent from memory, or null. */
    private ByteBuffer piece;
    private int pieceStart;
    /** What the piece has been read into, or null. */
    private ByteBuffer buffer;
    private final Cork cork = new Cork();
    private boolean isSendingCorked;
    /** Whether a file is being read behind what is held back, from {@link #pieceStart} on. */
    private boolean isHoldingBack;
    /** How much of the head is being transmitted before the file. */
    private int heading;
    /** How much of the file is being transmitted. */
    private long transmitting;
    /** Set once the system has been asked what the client has taken. */
    private boolean isAsked;
    /** True if the system has answered that, so that progress is seen within a piece. */
    private boolean seesProgress;

    ProactiveSender(ProactiveLoop loop, AsyncStream stream, Transmission transmission) {
        this.loop = loop;
        this.stream = stream;
        this.transmission = transmission;
    }

    /** {@return whether an operation is in flight} */
    boolean isBusy() {
        return busy;
    }

    /** {@return whether something is held back, or being sent that has been} */
    boolean holdsBack() {
        return !cork.isEmpty();
    }

    /**
     * Holds the message back instead of sending it, if that is worth it and possible. What there is of it in memory is;
     * the rest is up to {@link #holdFileBack}.
     *
     * @param moreFollows whether there are requests that can be answered at once
     * @return whether it is held back
     */
    boolean holdBack(boolean moreFollows) {
        if (!(moreFollows || holdsBack()) || !cork.hasSpaceFor(transmission)) {
            return false;
        }
        transmission.copyMemoryTo(cork.fill(holdsBack() ? null : loop.takeBuffer()));
        return true;
    }

    /**
     * Begins a step: the rest of the file is read behind what is held back already.
     *
     * @param reader the token of the read
     * @throws IOException if the system refuses
     */
    void holdFileBack(ProactiveHandler reader) throws IOException {
        ByteBuffer target = cork.fill(null);
        pieceStart = target.position();
        target.limit(pieceStart + (int) transmission.fileLeft());
        read(target, reader);
        isHoldingBack = true;
        busy = true;
    }

    /** Begins a step: all that has been held back is sent. */
    void sendCorked() {
        stream.send(cork.leave(), null);
        isSendingCorked = true;
        busy = true;
    }

    /** {@return whether that is the step that has been begun} */
    boolean isSendingCorked() {
        return isSendingCorked;
    }

    /**
     * Begins a step: something of the transmission is sent.
     *
     * @param reader the token of a read
     * @throws IOException if the file is shorter than announced, or the system refuses to map it
     */
    void begin(ProactiveHandler reader) throws IOException {
        if (transmission.needsPiece()) {
            read(reader);
        } else if (transmission.isConverted() || transmission.fileLeft() == 0) {
            send(transmission.content());
        } else {
            sendFile(reader);
        }
    }

    private void sendFile(ProactiveHandler reader) throws IOException {
        FileIo way = transmission.fileIo();
        ByteBuffer mapped = way == FileIo.MMAP ? transmission.mapped(transmission.piece()) : null;
        if (way == FileIo.TRANSMIT) {
            transmit();
        } else if (mapped != null) {
            sendPiece(mapped);
        } else {
            read(reader);
        }
    }

    private void transmit() throws IOException {
        heading = transmission.head().remaining();
        transmitting = Math.min(transmission.fileLeft(), transmittedPiece());
        transmission.throttle().spend(heading + transmitting);
        stream.transmitFile(transmission.file().file(), transmission.filePosition(), transmitting, transmission.head(),
                null, null);
        busy = true;
    }

    /** {@return the larger piece where the system says what the client has taken, whether a piece has gone or not} */
    private int transmittedPiece() throws IOException {
        int piece = transmission.piece();
        if (transmission.fileLeft() <= piece) {
            // Most files: asking would cost each connection a system call.
            return piece;
        }
        if (!isAsked) {
            isAsked = true;
            seesProgress = stream.stream().acknowledged() >= 0;
        }
        return seesProgress ? transmission.transmittedPiece() : piece;
    }

    private void read(ProactiveHandler reader) throws IOException {
        buffer = loop.takeBuffer();
        transmission.limit(buffer);
        read(buffer, reader);
        busy = true;
    }

    private void read(ByteBuffer destination, ProactiveHandler reader) throws IOException {
        AsyncFile file = loop.files().of(transmission.file());
        if (file != null) {
            file.read(destination, transmission.filePosition(), reader);
            return;
        }
        // As a reactor does it: what is asked for often is in the system's cache.
        transmission.file().file().read(destination, transmission.filePosition());
        loop.proactor().execute(reader::hasRead);
    }

    private void sendPiece(ByteBuffer part) {
        piece = part;
        pieceStart = part.position();
        send(part);
    }

    /** Sends what is left of the head, and then as much of this as may go. */
    private void send(ByteBuffer body) {
        limited = body;
        limit = body.limit();
        body.limit(body.position() + transmission.throttle().share(body.remaining()));
        transmission.throttle().spend(transmission.head().remaining() + body.remaining());
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
     * Goes on with the step: sends what has been read, or holds it back.
     *
     * @return whether the step is over with that
     * @throws IOException if the file is shorter than announced
     */
    boolean takeRead() throws IOException {
        busy = false;
        if (isHoldingBack) {
            isHoldingBack = false;
            int count = cork.read(pieceStart);
            transmission.fileSent(count);
            transmission.requireFile(count > 0);
            return true;
        }
        sendRead();
        return false;
    }

    private void sendRead() throws IOException {
        transmission.requireFile(buffer.position() > 0);
        if (transmission.isConverted()) {
            transmission.convert(buffer.flip());
            release();
            send(transmission.content());
        } else {
            sendPiece(buffer.flip());
        }
    }

    private void release() {
        loop.release(buffer);
        buffer = null;
    }

    /** Notes that nothing is in flight any more and the step has ended, whatever its outcome. */
    void stepEnded() {
        busy = false;
        isHoldingBack = false;
        if (isSendingCorked) {
            isSendingCorked = false;
            loop.release(cork.empty());
        }
        if (limited != null) {
            limited.limit(limit);
            limited = null;
        }
        if (piece != null) {
            // That of a failed operation tells, too.
            transmission.fileSent(piece.position() - pieceStart);
            piece = null;
        }
        if (buffer != null) {
            release();
        }
    }

    /** The connection has ended: what is held back never leaves. */
    void close() {
        stepEnded();
        if (holdsBack()) {
            loop.release(cork.empty());
        }
    }

    /**
     * What was left of the head and a part of a file have been transmitted.
     *
     * @param count of octets, of both together
     * @throws IOException if the file is shorter than announced
     */
    void transmitted(long count) throws IOException {
        transmission.fileSent(count - heading);
        transmission.requireFile(count == heading + transmitting);
    }
}
