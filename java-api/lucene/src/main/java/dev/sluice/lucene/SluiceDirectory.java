package dev.sluice.lucene;

import dev.sluice.files.FileLoop;
import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.Constants;
import org.apache.lucene.util.Unwrappable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of Lucene on the files of this library. It reads and writes the files that Lucene's own directories read
 * and write.
 *
 * <pre>{@code
 * try (Directory directory = new SluiceDirectory(path);
 *         IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
 *     ...
 * }
 * }</pre>
 *
 * <ul>
 * <li><b>Interrupts</b> close no file and lose no lock. A thread that is interrupted continues to read and write, and
 *     its interrupt status stays set.
 * <li><b>{@code prefetch}</b> starts to read, and returns immediately. On Linux it advises the system, if the file is
 *     read through the cache: for what the cache has already, this costs less than any read. Otherwise a {@link
 *     FileLoop} reads; with io_uring the kernel gets all ranges that have been announced since by one call. The bytes
 *     are in memory of the directory, which has a maximum size. They stay there for other reads by the same input, its
 *     clones and slices, until the oldest ones are discarded for others, or the input is closed.
 * <li><b>Direct reads</b> bypass the system's cache, so that a merge does not evict what searches need. By default
 *     these are the reads of files that are opened for {@linkplain #LARGE_MERGES large merges}. The system reads
 *     nothing ahead for them, and the directory does. A file system that has no direct reads gets ordinary ones. A
 *     virtual thread that waits for a direct read parks, so that its carrier is free during the wait.
 * <li><b>Vectors</b> are mapped into memory, by default {@linkplain #VECTORS all of them}, as {@link MMapDirectory}
 *     does that: Lucene's scorers for memory segments need it. This includes vectors in a compound file.
 *     {@code prefetch} advises the system then.
 * <li><b>Outputs</b> write blocks of 64 KiB, at multiples of that.
 * <li><b>{@code sync}</b> makes all files of a commit durable at the same time. After a sync has failed, all later ones
 *     are refused, with the first failure as their cause: the system may have dropped what it could not write.
 * <li>Lists, deletions and pending deletions are those of {@link FSDirectory}.
 * </ul>
 *
 * <p>All methods may be called by any thread. An input or output is used by one thread at a time.
 */
public final class SluiceDirectory extends FSDirectory {

    /**
     * Default maximum size of the memory for what the loop reads ahead, in bytes: 64 MiB, if the heap may have at least
     * 512 MiB. With a smaller one it is lower in proportion.
     */
    public static final long DEFAULT_MEMORY = 64L << 20;

    /**
     * Files that are opened for a merge of at least 10 MiB. A merge reads what a reader of the same writer has opened
     * before as that was opened, and the other way round.
     */
    public static final BiPredicate<String, IOContext> LARGE_MERGES = SluiceDirectory::isLargeMerge;

    /** Files that contain vectors or their graphs, as the hints of their context or their extensions say. */
    public static final BiPredicate<String, IOContext> VECTORS = SluiceDirectory::hasVectors;

    private static final Logger LOG = LoggerFactory.getLogger(SluiceDirectory.class);
    private static final long LARGE = 10 * 1024 * 1024;
    private static final Set<String> OF_VECTORS = Set.of("vec", "vex", "veq", "veb");

    /** The directory for native calls; tests of Lucene wrap paths. */
    private final Path path;
    private final @Nullable FileLoop ownLoop;
    private final Prefetches prefetches;
    private final BlockPool blocks = new BlockPool();
    private final DurableFiles durable;
    private final MappedFiles mappedFiles;
    private final AtomicLong temporaryFiles = new AtomicLong();
    /** The number of commits that have been deleted; one may have been before the directory was opened. */
    private final AtomicLong deletedCommits = new AtomicLong(1);
    /** How many of these have no name on the disk any more. */
    private final AtomicLong forgottenCommits = new AtomicLong();
    private volatile boolean advises = Constants.LINUX;
    private volatile BiPredicate<String, IOContext> direct = LARGE_MERGES;
    private volatile BiPredicate<String, IOContext> mapped = VECTORS;

    /**
     * Opens a directory with a loop of its own, which is closed with it. It locks by {@link SluiceLockFactory}.
     *
     * @param path the directory, which is created if there is none
     * @throws IOException if it cannot be created, or the loop cannot be opened
     */
    public SluiceDirectory(Path path) throws IOException {
        this(path, DurableFiles::new);
    }

    /** Opens a directory with a loop of its own. */
    SluiceDirectory(Path path, Function<FileLoop, DurableFiles> durableFiles) throws IOException {
        super(path, SluiceLockFactory.INSTANCE);
        this.path = Unwrappable.unwrapAll(directory);
        this.mappedFiles = new MappedFiles(this.path);
        FileLoop loop = FileLoop.open();
        try {
            this.ownLoop = loop;
            this.prefetches = new Prefetches(loop, defaultMemory());
            this.durable = durableFiles.apply(loop);
        } catch (Throwable e) {
            // Without memory for these, nothing else closes it.
            loop.close();
            throw e;
        }
    }

    /**
     * Opens a directory on a loop that may serve several directories.
     *
     * @param path        the directory, which is created if there is none
     * @param lockFactory locks the index
     * @param loop        reads ahead and syncs; the caller closes it, after the directory
     * @param memory      the maximum size of the memory for what the loop reads ahead, in bytes, at least 0. It is
     *                    outside of the heap, allocated in parts of at most 1 MiB when they are first needed, and freed
     *                    by the garbage collector after the directory and its inputs. A quarter is for files that are
     *                    read in order. The rest keeps the ranges that have been announced; when it is full, the oldest
     *                    ones are discarded. It should be at least as large as what all threads announce together; with
     *                    more, fewer ranges are read again. Each range takes up to 500 bytes of the heap as well
     * @throws IllegalArgumentException if the size is negative
     * @throws IOException              if the directory cannot be created
     */
    public SluiceDirectory(Path path, LockFactory lockFactory, FileLoop loop, long memory) throws IOException {
        super(path, lockFactory);
        if (memory < 0) {
            throw new IllegalArgumentException("memory: " + memory);
        }
        this.path = Unwrappable.unwrapAll(directory);
        this.mappedFiles = new MappedFiles(this.path);
        this.ownLoop = null;
        this.prefetches = new Prefetches(loop, memory);
        this.durable = new DurableFiles(loop);
    }

    /** {@return an eighth of the heap's maximum size, or less} */
    private static long defaultMemory() {
        return Math.min(DEFAULT_MEMORY, Runtime.getRuntime().maxMemory() / 8);
    }

    private static boolean isLargeMerge(String name, IOContext context) {
        MergeInfo merge = context.mergeInfo();
        return context.context() == IOContext.Context.MERGE && merge != null && merge.estimatedMergeBytes() >= LARGE;
    }

    private static boolean hasVectors(String name, IOContext context) {
        return context.hints().contains(FileDataHint.KNN_VECTORS)
                || OF_VECTORS.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    /**
     * Sets which files are read directly; by default, {@link #LARGE_MERGES}. This affects files that are opened later.
     * What is mapped is not read directly.
     *
     * @param predicate gets the name and the context of a file; called by the thread that opens it
     */
    public void setDirect(BiPredicate<String, IOContext> predicate) {
        direct = Objects.requireNonNull(predicate, "predicate");
    }

    /**
     * Sets which files are mapped into memory; by default, {@link #VECTORS}. This affects files that are opened later,
     * and those inside of them, if they are compound files.
     *
     * @param predicate gets the name and the context of a file; called by the thread that opens it
     */
    public void setMapped(BiPredicate<String, IOContext> predicate) {
        mapped = Objects.requireNonNull(predicate, "predicate");
    }

    // Reading

    /** Sets whether the system takes advice on what to read into its cache. */
    void setAdvises(boolean takesAdvice) {
        advises = takesAdvice;
    }

    boolean advises() {
        return advises;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
        ensureOpen();
        ensureCanRead(name);
        MappedFiles files = mappedFiles(name, context);
        if (files != null) {
            return files.open(name, context);
        }
        IndexFile file = IndexFile.open(path.resolve(name), direct.test(name, context), prefetches, blocks);
        return new SluiceIndexInput("SluiceIndexInput(path=\"" + file + "\")", file, this);
    }

    /** {@return what maps a file, or a part of a compound file, of this name; null if it is not mapped} */
    @Nullable MappedFiles mappedFiles(String name, IOContext context) {
        return mapped.test(name, context) ? mappedFiles : null;
    }

    // Writing

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
        ensureOpen();
        if (isPendingDeletion(name)) {
            // If that fails again, the file still exists, as the next call says.
            deletePendingFiles();
        }
        return create(name);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) throws IOException {
        ensureOpen();
        while (true) {
            String name = getTempFileName(prefix, suffix, temporaryFiles.getAndIncrement());
            try {
                if (!isPendingDeletion(name)) {
                    return create(name);
                }
            } catch (FileAlreadyExistsException e) {
                LOG.debug("{} is left from an earlier use; trying the next name", name, e);
            }
        }
    }

    private boolean isPendingDeletion(String name) throws IOException {
        try {
            ensureCanRead(name);
            return false;
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    private IndexOutput create(String name) throws IOException {
        Path file = path.resolve(name);
        FileHandle handle = IndexFiles.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        IndexOutput output = null;
        try {
            output = new SluiceIndexOutput(file.toString(), name, new BlockOutput(handle, blocks));
            return output;
        } finally {
            if (output == null) {
                handle.close();
            }
        }
    }

    /**
     * Waits until the content of files is on the disk, all of them at the same time.
     *
     * @param names the files
     * @throws NoSuchFileException if there is no such file
     * @throws IOException         if the disk fails, or has failed in an earlier sync, which is the cause then
     */
    @Override
    public void sync(Collection<String> names) throws IOException {
        ensureOpen();
        durable.force(names.stream().map(path::resolve).toList());
        // Deletes what is pending.
        super.sync(Set.of());
    }

    @Override
    protected void fsync(String name) throws IOException {
        durable.force(List.of(path.resolve(name)));
    }

    /**
     * Waits until the names of files are on the disk; does nothing on Windows, and where the file system refuses that
     * with {@code EINVAL}.
     *
     * @throws IOException as {@link #sync}
     */
    @Override
    public void syncMetaData() throws IOException {
        ensureOpen();
        forceNames();
        super.sync(Set.of());
    }

    private void forceNames() throws IOException {
        // A commit that is deleted meanwhile may keep its name.
        long deleted = deletedCommits.get();
        if (!Constants.WINDOWS) {
            durable.forceNames(path);
        }
        forgottenCommits.accumulateAndGet(deleted, Math::max);
    }

    /**
     * Deletes a file. Lucene deletes a commit before the files that only this one has. So before the first file that is
     * deleted after a commit, or since the directory was opened, this waits until the names of files are on the disk,
     * as {@link #syncMetaData} does: a power failure must not leave a commit without its files. After a sync has
     * failed, it deletes without that, so that a writer can roll back.
     *
     * @throws IOException if there is no such file, or the disk fails in the sync
     */
    @Override
    public void deleteFile(String name) throws IOException {
        if (name.startsWith(IndexFileNames.SEGMENTS)) {
            try {
                super.deleteFile(name);
            } finally {
                deletedCommits.incrementAndGet();
            }
        } else {
            ensureOpen();
            if (forgottenCommits.get() < deletedCommits.get() && !durable.hasFailed()) {
                forceNames();
            }
            super.deleteFile(name);
        }
    }

    /** Deletes what is pending, and closes the loop that the directory has opened. Inputs stay open. */
    @Override
    public synchronized void close() throws IOException {
        try (mappedFiles) {
            super.close();
        } finally {
            if (ownLoop != null) {
                ownLoop.close();
            }
        }
    }
}
