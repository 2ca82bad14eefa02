package dev.sluice.benchmarks.file;

import static dev.sluice.samples.wal.SegmentHeader.BLOCK;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sluice.samples.wal.Group;
import dev.sluice.samples.wal.LogSettings;
import dev.sluice.samples.wal.RecordFormat;
import dev.sluice.samples.wal.SegmentHeader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The write-ahead log of the samples over {@link FileChannel}, with the same groups, segments and waits: one thread
 * writes a group and then forces it, while the records of other threads make up the next group.
 */
final class ChannelLog implements Closeable {

    /** The zeros of a segment are forced in pieces, because the groups written at that time wait for the same disk. */
    private static final int PIECE = 1 << 20;

    private final Path directory;
    private final RecordFormat format;
    /** The thread that writes groups, and one that creates segments ahead. */
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final CompletableFuture<Void> writer;

    private final ReentrantLock lock = new ReentrantLock();
    /** Signalled when there is a group to write, and when the log is closed. */
    private final Condition added = lock.newCondition();
    /** Signalled when another group is filled, and when none will be. */
    private final Condition space = lock.newCondition();

    // Guarded by the lock
    /** The group that records are added to. */
    private Group filling;
    /** The group that is being written; null if there is none. */
    private Group writing;
    /** The group that becomes the next to be filled; null while one is being written. */
    private Group spare;
    private long appended;
    private long durable;
    /** Why the log has stopped; null while it runs. */
    private Throwable failure;
    private boolean closed;

    // Accessed only by the thread that writes
    /** That of the last segment that has been requested. */
    private SegmentHeader header;
    private FileChannel segment;
    private long position;
    /** The next segment; null until it is requested, which it is when this one is half full. */
    private Future<Path> next;

    /**
     * Creates a log.
     *
     * @param directory the directory, which is empty
     * @param settings  the sizes
     * @throws IOException if the first segment cannot be created
     */
    ChannelLog(Path directory, LogSettings settings) throws IOException {
        this.directory = directory;
        this.filling = new Group(settings.groupSize(), lock.newCondition());
        this.spare = new Group(settings.groupSize(), lock.newCondition());
        this.header = new SegmentHeader(new SecureRandom().nextLong(), 1, settings.segmentSize(),
                settings.groupSize());
        this.format = new RecordFormat(header.logId());
        this.segment = openToAppend(create(header));
        this.position = BLOCK;
        this.writer = CompletableFuture.runAsync(this::run, threads);
    }

    /**
     * Appends a record, and waits until it is on the disk.
     *
     * @param record the bytes, at most as many as fit into a group; the position stays
     * @return the number of the record, from 1
     * @throws IOException if the log has stopped or is closed
     */
    long append(ByteBuffer record) throws IOException {
        lock.lock();
        try {
            requireRunning();
            while (!filling.hasSpace(record.remaining())) {
                space.awaitUninterruptibly();
                requireRunning();
            }
            Group group = filling;
            long number = appended + 1;
            group.add(format, number, record);
            appended = number;
            if (writing == null) {
                added.signal();
            }
            while (durable < number && failure == null) {
                group.await();
            }
            if (durable < number) {
                throw stopped();
            }
            return number;
        } finally {
            lock.unlock();
        }
    }

    private void requireRunning() throws IOException {
        if (failure != null) {
            throw stopped();
        }
        if (closed) {
            throw new IOException(directory + ": the log is closed");
        }
    }

    private IOException stopped() {
        return new IOException(directory + ": the log has stopped: " + failure.getMessage(), failure);
    }

    // The thread that writes

    private void run() {
        try {
            for (Group group = takeNext(); group != null; group = takeNext()) {
                write(group.seal());
            }
        } catch (IOException | RuntimeException | Error e) {
            stop(e);
        }
    }

    /** Ends the waits for the group that has been written. Returns the next one; null if the log is closed. */
    private Group takeNext() {
        lock.lock();
        try {
            if (writing != null) {
                durable = writing.last();
                writing.clear();
                writing.signalAll();
                spare = writing;
                writing = null;
            }
            while (filling.isEmpty() && !closed) {
                added.awaitUninterruptibly();
            }
            if (!filling.isEmpty()) {
                writing = filling;
                filling = spare;
                spare = null;
                space.signalAll();
            }
            return writing;
        } finally {
            lock.unlock();
        }
    }

    private void write(ByteBuffer group) throws IOException {
        if (position + group.limit() > header.size()) {
            roll();
        }
        if (position >= header.size() / 2) {
            prepareNext();
        }
        int length = group.limit();
        writeFully(segment, group, position);
        position += length;
        segment.force(false);
    }

    /** Ends the log: nothing is written any more, because nothing could be believed. */
    private void stop(Throwable cause) {
        lock.lock();
        try {
            failure = cause;
            space.signalAll();
            filling.signalAll();
            if (writing != null) {
                writing.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    // The segments

    private void prepareNext() {
        if (next == null) {
            header = header.next();
            SegmentHeader requested = header;
            next = threads.submit(() -> create(requested));
        }
    }

    /** Continues in the next segment. */
    private void roll() throws IOException {
        prepareNext();
        try {
            Path created = next.get();
            segment.close();
            segment = openToAppend(created);
            position = BLOCK;
            next = null;
        } catch (ExecutionException e) {
            throw new IOException("no further segment: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while a segment was created");
        }
    }

    /** Creates a segment: fills it with zeros, so that a force of its records need not write metadata, and names it. */
    private Path create(SegmentHeader created) throws IOException {
        Path unfinished = directory.resolve(created.fileName() + ".new");
        try (FileChannel file = FileChannel.open(unfinished, WRITE, CREATE, TRUNCATE_EXISTING)) {
            ByteBuffer piece = ByteBuffer.allocateDirect(Math.min(PIECE, created.size()));
            created.put(piece);
            for (int at = 0; at < created.size(); at += PIECE) {
                writeFully(file, piece.clear().limit(Math.min(PIECE, created.size() - at)), at);
                piece.put(0, new byte[BLOCK]);
                file.force(false);
            }
            file.force(true);
        }
        Path finished = Files.move(unfinished, directory.resolve(created.fileName()), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel names = FileChannel.open(directory, READ)) {
            names.force(true);
        }
        return finished;
    }

    /** Opens a segment to append to it, past the system's cache if its file system allows that. */
    private static FileChannel openToAppend(Path path) throws IOException {
        try {
            if (BLOCK % Files.getFileStore(path).getBlockSize() == 0) {
                return FileChannel.open(path, WRITE, Job.directOption());
            }
        } catch (UnsupportedOperationException | IOException e) {
            // This file system writes through the cache only. If it does not write at all, the next call says so.
        }
        return FileChannel.open(path, WRITE);
    }

    private static void writeFully(FileChannel file, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }

    /** Waits until the appends that have begun have returned, and closes the log. Closing again does nothing. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            added.signal();
            space.signalAll();
        } finally {
            lock.unlock();
        }
        writer.join();
        threads.close();
        segment.close();
    }
}
