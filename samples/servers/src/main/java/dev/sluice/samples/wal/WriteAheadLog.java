package dev.sluice.samples.wal;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.server.VirtualThreads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A log that many threads append to, platform threads or virtual ones; any thread may close it. An append returns when
 * its record is on the disk, and all records before it. One of the threads that wait for a group writes and forces it,
 * or lets a Proactor do so if it is a virtual thread; see the package description.
 */
public final class WriteAheadLog implements Closeable {

    /** In nested calls, of 20 bytes or more each: much less than a write takes, but enough to stop the log. */
    private static final int STACK_RESERVE = 500;

    private final LogDirectory directory;
    private final Closeable directoryLock;
    /** Of all segments of the log, so that it is known how much of one a crash may have torn. */
    private final int groupSize;
    private final RecordFormat format;
    private final Proactor proactor;
    private final Thread thread;
    private final SegmentSupply supply;

    // Not a monitor: before Java 24 that would pin the carriers of virtual threads that wait.
    private final ReentrantLock lock = new ReentrantLock();
    /** Signalled when records can be added, and when a group has been written. */
    private final Condition changed = lock.newCondition();

    // Guarded by the lock
    private final OpenSegment segment;
    /** The group that records are added to. */
    private Group filling;
    /** The group that is being written; null if there is none. */
    private Group writing;
    /** Whether a thread that waits for it writes it. */
    private boolean writesItself;
    /** The group that becomes the next to be filled; null while one is being written. */
    private Group spare;
    private long appended;
    private long durable;
    private long groups;
    /** Why the log has stopped; null while it runs. */
    private Throwable failure;
    private boolean closed;

    private WriteAheadLog(LogDirectory directory, Closeable directoryLock, LogSettings settings, LogEnd end,
            Proactor proactor, Consumer<Thread> start) throws IOException {
        this.directory = directory;
        this.directoryLock = directoryLock;
        this.proactor = proactor;
        this.format = new RecordFormat(end.header().logId());
        this.groupSize = end.header().groupSize();
        this.filling = new Group(groupSize, lock.newCondition());
        this.spare = new Group(groupSize, lock.newCondition());
        this.appended = end.records();
        this.durable = end.records();
        this.thread = new Thread(this::run, "wal");
        thread.setDaemon(true);
        SegmentHeader next = new SegmentHeader(end.header().logId(), end.header().number() + 1,
                Math.max(settings.segmentSize(), SegmentHeader.BLOCK + groupSize), groupSize);
        this.segment = new OpenSegment(directory, proactor, this::completed);
        segment.open(end.segment(), end.nextGroup());
        try {
            this.supply = new SegmentSupply(directory, next, this::continueWriting, start);
        } catch (Throwable e) {
            segment.close();
            throw e;
        }
    }

    /**
     * Opens a log, after reading it to its end, or creates one.
     *
     * @param path     the directory; created if it does not exist
     * @param settings the size of new segments, the size of groups of a new log, and the demultiplexer
     * @param visitor  gets the records that the log has. Only when this method returns is it certain that they are on
     *                 the disk
     * @return the log; the caller closes it
     * @throws IOException              if the log is damaged before its end, or is in use, if the visitor throws it, or
     *                                  the system refuses
     * @throws IllegalArgumentException if there is no usable demultiplexer of the name
     */
    public static WriteAheadLog open(Path path, LogSettings settings, RecordVisitor visitor) throws IOException {
        return open(path, settings, visitor, Thread::start);
    }

    /** Opens a log, given what starts its threads, which the system may refuse. */
    static WriteAheadLog open(Path path, LogSettings settings, RecordVisitor visitor, Consumer<Thread> start)
            throws IOException {
        LogDirectory directory = new LogDirectory(path);
        Closeable directoryLock = directory.lock();
        boolean isOpen = false;
        try {
            LogEnd end = directory.recover(settings, visitor);
            Proactor proactor = Proactor.builder().demultiplexer(settings.demultiplexer()).open();
            try {
                WriteAheadLog log = new WriteAheadLog(directory, directoryLock, settings, end, proactor, start);
                log.startThread(start);
                isOpen = true;
                return log;
            } finally {
                if (!isOpen) {
                    proactor.close();
                }
            }
        } finally {
            if (!isOpen) {
                directoryLock.close();
            }
        }
    }

    private void startThread(Consumer<Thread> start) {
        try {
            start.accept(thread);
        } catch (Throwable e) {
            supply.close();
            segment.close();
            throw e;
        }
    }

    /**
     * Reads a log to its end, and changes nothing. No thread may append to it.
     *
     * @param path    the directory
     * @param visitor gets the records
     * @throws IOException if a file cannot be read, the log is damaged before its end, or the visitor throws it
     */
    public static void read(Path path, RecordVisitor visitor) throws IOException {
        LogScan.scan(new LogDirectory(path), visitor);
    }

    /** {@return the maximum length of a record in bytes} */
    int maxLength() {
        return groupSize - RecordFormat.HEADER;
    }

    /** {@return the name of the demultiplexer} */
    String demultiplexer() {
        return proactor.demultiplexer();
    }

    /** {@return the number of the last record that has been added, whether it is on the disk or not} */
    long appended() {
        lock.lock();
        try {
            return appended;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the number of groups that have been written since the log was opened} */
    long groups() {
        lock.lock();
        try {
            return groups;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Appends a record, and waits until it is on the disk. An interrupt does not end the wait; the interrupt status is
     * set afterwards.
     *
     * @param record the bytes, at least one and at most the maximum length of a group less
     *               {@value RecordFormat#HEADER}; they are copied, and the position stays
     * @return the number of the record, which is that of the record before plus one
     * @throws IllegalArgumentException if the record is empty or too long
     * @throws IOException              if the log has stopped or is closed. If it stopped before the record was on the
     *                                  disk, the record may be in the log when that is opened again, or not
     */
    public long append(ByteBuffer record) throws IOException {
        int length = record.remaining();
        if (length == 0 || length > maxLength()) {
            throw new IllegalArgumentException("a record of " + length + " bytes; it must have 1 to " + maxLength());
        }
        reserveStack(STACK_RESERVE);
        lock.lock();
        try {
            requireRunning();
            while (!filling.hasSpace(length)) {
                changed.awaitUninterruptibly();
                requireRunning();
            }
            Group group = filling;
            long number = appended + 1;
            group.add(format, number, record);
            // Not before: a record that cannot be read, as its memory has been freed, must leave no gap.
            appended = number;
            awaitDurable(group, number);
            return number;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Fails before the lock is taken if there may be no stack to release it, or to stop the log: other threads would
     * wait forever.
     */
    private static int reserveStack(int calls) {
        return calls == 0 ? 0 : 1 + reserveStack(calls - 1);
    }

    /** Takes the lock, unless the caller has it: a wait, or the release of the lock, may have failed at any step. */
    private void regainLock() {
        if (!lock.isHeldByCurrentThread()) {
            lock.lock();
        }
    }

    /** Waits until a record is on the disk. If no group is being written, the caller writes that of its record. */
    private void awaitDurable(Group group, long number) throws IOException {
        while (durable < number && failure == null) {
            try {
                if (!beginNext()) {
                    group.await();
                } else if (VirtualThreads.isCurrent()) {
                    segment.start(writing.seal());
                } else {
                    write();
                }
            } catch (IOException | RuntimeException | Error e) {
                // Even if only the wait has failed: perhaps no other thread would write the group.
                regainLock();
                stop(e);
            }
        }
        if (durable < number) {
            throw stopped();
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
        String reason = failure instanceof IOException ? failure.getMessage() : failure.toString();
        return new IOException(directory + ": the log has stopped: " + reason, failure);
    }

    /**
     * {@return whether the records that have been added are the group that is written now, by the caller} Called under
     * the lock. After an exception the caller stops the log.
     */
    private boolean beginNext() throws IOException {
        if (writing != null || failure != null || filling.isEmpty()
                || !segment.makeSpace(filling.length(), supply)) {
            return false;
        }
        // First, as there may be no stack for it: a group that is begun and not written would be waited for forever.
        changed.signalAll();
        writing = filling;
        filling = spare;
        spare = null;
        return true;
    }

    /** Writes and forces the group that has been begun. Called under the lock, which others can have meanwhile. */
    private void write() throws IOException {
        Group group = writing;
        FileHandle file = segment.file();
        int at = segment.position();
        int length = group.length();
        writesItself = true;
        try {
            lock.unlock();
            file.writeFully(group.seal(), at);
            file.forceData();
        } finally {
            regainLock();
            writesItself = false;
        }
        if (failure != null) {
            // The close may wait for this thread.
            changed.signalAll();
        } else {
            // First, so that the next group does not wait for the threads of this one.
            filling.signal();
            written(length);
        }
    }

    /** Called when there is a next segment, and when none could be created. */
    private void continueWriting() {
        lock.lock();
        try {
            filling.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Called by the thread of the Proactor. Only a success says that the records are on the disk. */
    private void completed(Completion completion) {
        lock.lock();
        try {
            if (!completion.isSuccess()) {
                stop(completion.error());
                return;
            }
            written((int) completion.bytesTransferred());
            // Virtual threads would only come back here.
            if (beginNext()) {
                segment.start(writing.seal());
            }
        } catch (IOException | RuntimeException | Error e) {
            stop(e);
        } finally {
            lock.unlock();
        }
    }

    /** The group that has been begun is on the disk. Called under the lock. */
    private void written(int length) {
        Group group = writing;
        writing = null;
        segment.advance(length);
        durable = group.last();
        groups++;
        group.clear();
        spare = group;
        group.signalAll();
        changed.signalAll();
    }

    /** Ends the log: nothing is written any more, because nothing could be believed. Called under the lock. */
    private void stop(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        changed.signalAll();
        filling.signalAll();
        if (writing != null) {
            writing.signalAll();
        }
    }

    private void run() {
        try (proactor) {
            proactor.run();
        } catch (IOException | RuntimeException | Error e) {
            lock.lock();
            try {
                stop(e);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits until the records that have been added are on the disk, or the log has stopped, and closes the log. Appends
     * that wait for space fail. An interrupt does not end the wait. Closing again does nothing.
     *
     * @throws IOException if the system refuses; the records that have been acknowledged are on the disk nevertheless
     */
    @Override
    public void close() throws IOException {
        reserveStack(STACK_RESERVE);
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            while (writesItself || failure == null && (writing != null || !filling.isEmpty())) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        supply.close();
        proactor.stop();
        SegmentSupply.awaitEnd(thread);
        segment.close();
        directoryLock.close();
    }
}
