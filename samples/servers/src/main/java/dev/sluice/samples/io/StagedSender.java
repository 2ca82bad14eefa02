package dev.sluice.samples.io;

import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.FileCompletion;
import dev.sluice.stages.io.StagedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends the messages of one connection through stages, in steps: each sends some octets that are in memory, or reads a
 * piece of a file and sends that. For one thread at a time.
 */
final class StagedSender {

    /** A step ends after this number of octets, so that progress is seen, and a rate is kept. */
    static final int ENOUGH = 64 * 1024;
    /** A step ends after this number of parts, too. */
    private static final int ENOUGH_PARTS = 32;

    private final StagedLoop loop;
    private final AsyncConnection connection;
    private final Transmission transmission;
    /** Passed with everything that is started, and returned with its result. */
    private final Object token;
    private final List<ByteBuffer> parts = new ArrayList<>();
    /** The number of sends and reads in flight. */
    private int underWay;
    private IOException failure;
    private StagedFile file;

    StagedSender(StagedLoop loop, AsyncConnection connection, Transmission transmission, Object token) {
        this.loop = loop;
        this.connection = connection;
        this.transmission = transmission;
        this.token = token;
    }

    /** {@return whether something is under way} */
    boolean isBusy() {
        return underWay > 0;
    }

    /**
     * Begins a step.
     *
     * @throws IOException if nothing can be sent any more, or the file cannot be read
     */
    void begin() throws IOException {
        if (transmission.fileLeft() > 0) {
            read();
        } else {
            takeOctets();
            sendParts();
        }
    }

    /** What is in memory goes together as far as it is enough for a step, block by block. */
    private void takeOctets() {
        int octets = 0;
        do {
            octets += take(transmission.head());
            if (!transmission.head().hasRemaining()) {
                octets += take(transmission.content());
            }
        } while (octets < transmission.throttle().share(ENOUGH) && parts.size() < ENOUGH_PARTS
                && transmission.goesOn() && transmission.fileLeft() == 0);
    }

    /** {@return how many octets of a buffer go now} */
    private int take(ByteBuffer octets) {
        int count = transmission.throttle().share(octets.remaining());
        if (count > 0) {
            ByteBuffer part = octets.duplicate();
            parts.add(part.limit(part.position() + count));
            octets.position(octets.position() + count);
        }
        return count;
    }

    private void sendParts() throws IOException {
        for (ByteBuffer part : parts) {
            transmission.throttle().spend(part.remaining());
            if (connection.send(part, token, loop.results()) != EnqueueResult.ACCEPTED) {
                failure = new ClosedChannelException();
                break;
            }
            underWay++;
        }
        parts.clear();
        if (underWay == 0) {
            requireSuccess();
        }
    }

    /** A piece of the file into the room that the message has for it. */
    private void read() throws IOException {
        if (file == null) {
            file = new StagedFile(loop.files(), transmission.file().path(), transmission.file().file(),
                    loop.results());
        }
        CountedMemory memory = transmission.memory();
        started(file.seek(transmission.filePosition(), token));
        long left = Math.min(transmission.fileLeft(), transmission.throttle().share(ENOUGH));
        for (int i = 0; left > 0 && i < memory.count(); i++) {
            ByteBuffer block = memory.block(i);
            block.limit((int) Math.min(left, block.capacity()));
            left -= block.limit();
            parts.add(block);
            started(file.read(block, token));
        }
    }

    private void started(EnqueueResult outcome) throws IOException {
        if (outcome != EnqueueResult.ACCEPTED) {
            throw new IOException(file + " takes no more requests: " + outcome);
        }
        underWay++;
    }

    /**
     * Something of a read has ended.
     *
     * @return whether nothing is under way any more, and {@link #sendRead()} is to be called
     */
    boolean readEnded(FileCompletion completion) {
        return ended(completion.cause());
    }

    /**
     * Goes on with the step: sends what has been read.
     *
     * @throws IOException if it could not be read, or the file is shorter than announced
     */
    void sendRead() throws IOException {
        requireSuccess();
        long count = 0;
        for (ByteBuffer block : parts) {
            count += block.flip().remaining();
        }
        transmission.requireFile(count > 0);
        parts.removeIf(block -> !block.hasRemaining());
        transmission.fileSent(count);
        if (transmission.head().hasRemaining()) {
            parts.add(0, transmission.head().duplicate());
            transmission.head().position(transmission.head().limit());
        }
        sendParts();
    }

    /**
     * Something that was under way has ended.
     *
     * @param cause why it has failed; null if it has not
     * @return whether nothing is under way any more
     */
    boolean ended(IOException cause) {
        if (cause != null && failure == null) {
            failure = cause;
        }
        underWay--;
        return underWay == 0;
    }

    /**
     * Checks that nothing has failed.
     *
     * @throws IOException what was the first to fail
     */
    void requireSuccess() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Nothing more is read of the file. */
    void endFile() {
        parts.clear();
        if (file != null) {
            file.close(null);
            file = null;
        }
    }
}
