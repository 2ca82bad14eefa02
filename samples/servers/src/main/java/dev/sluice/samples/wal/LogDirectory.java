package dev.sluice.samples.wal;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileAlignment;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.SystemCallException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;

/** The directory of a log and the files in it. */
final class LogDirectory {

    private static final String LOCK = "lock";
    private static final String NEW = ".new";
    private static final int PIECE = 1 << 20;

    private final Path path;

    LogDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates the directory if there is none, and locks it: two processes would write over each other's records. The
     * system releases the lock of a process that ends.
     *
     * @return releases the lock
     * @throws IOException if another log has the lock
     */
    Closeable lock() throws IOException {
        if (!Files.exists(path.resolve(LOCK))) {
            createDirectory(path);
        }
        FileHandle file = FileHandle.open(path.resolve(LOCK), READ, WRITE, CREATE);
        boolean locked = false;
        try {
            // FreeBSD and OpenBSD lock whole files only.
            locked = file.tryLock(0, Long.MAX_VALUE, false) != null;
        } finally {
            if (!locked) {
                file.close();
            }
        }
        if (!locked) {
            throw new IOException(path + ": another process appends to this log");
        }
        return file;
    }

    /**
     * Creates a directory and those above it, and makes their names durable. The last one that is there may be that of
     * a process that was killed before it could do the latter.
     */
    private static void createDirectory(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent == null) {
            return;
        }
        boolean exists = Files.isDirectory(directory);
        if (!exists) {
            createDirectory(parent);
            Files.createDirectories(directory);
        }
        if (!exists || Files.isReadable(parent)) {
            force(parent);
        }
    }

    /**
     * Reads the log to its end, and makes what it has durable; creates the first segment if there is none.
     *
     * @return where the log ends
     * @throws IOException if the log is damaged before its end, the visitor throws it, or the system refuses
     */
    LogEnd recover(LogSettings settings, RecordVisitor visitor) throws IOException {
        LogEnd end = LogScan.scan(this, visitor);
        if (end == null) {
            SegmentHeader header = new SegmentHeader(new SecureRandom().nextLong(), 1, settings.segmentSize(),
                    settings.groupSize());
            return new LogEnd(create(header), header, SegmentHeader.BLOCK, 0);
        }
        repair(end);
        return end;
    }

    /** {@return the segments in order} */
    List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> file.getFileName().toString().matches("[0-9a-f]{16}\\.wal")).sorted().toList();
        }
    }

    /**
     * Reads a segment.
     *
     * @param segment the file
     * @param spare   a direct buffer that is used if it is large enough
     * @return a buffer with all bytes of the file
     */
    ByteBuffer read(Path segment, ByteBuffer spare) throws IOException {
        try (FileHandle file = FileHandle.open(segment)) {
            int size = Math.toIntExact(file.size());
            ByteBuffer bytes = size <= spare.capacity() ? spare.clear().limit(size) : ByteBuffer.allocateDirect(size);
            int count = 0;
            while (bytes.hasRemaining() && count != FileHandle.END_OF_FILE) {
                count = file.read(bytes, bytes.position());
            }
            return bytes.flip();
        }
    }

    /**
     * Creates a segment: reserves its space and fills it with zeros, so that a force of its records need not write
     * metadata, and then gives it its name. The zeros are forced in pieces, because the groups that are written
     * meanwhile wait for the same disk.
     *
     * @return the segment, which is durable
     */
    Path create(SegmentHeader header) throws IOException {
        Path segment = path.resolve(header.fileName());
        Path unfinished = path.resolve(header.fileName() + NEW);
        try {
            try (FileHandle file = FileHandle.open(unfinished, WRITE, CREATE, TRUNCATE_EXISTING)) {
                reserve(file, header.size());
                ByteBuffer piece = ByteBuffer.allocateDirect(Math.min(PIECE, header.size()));
                header.put(piece);
                for (int at = 0; at < header.size(); at += PIECE) {
                    file.writeFully(piece.clear().limit(Math.min(PIECE, header.size() - at)), at);
                    piece.put(0, new byte[SegmentHeader.BLOCK]);
                    file.forceData();
                }
                file.force();
            }
            Files.move(unfinished, segment, StandardCopyOption.ATOMIC_MOVE);
        } catch (Throwable e) {
            discard(unfinished, e);
            throw e;
        }
        force(path);
        return segment;
    }

    private static void reserve(FileHandle file, int size) throws IOException {
        try {
            file.allocate(0, size);
        } catch (UnsupportedOperationException e) {
            // The zeros reserve it.
        } catch (SystemCallException e) {
            if (!e.errorName().equals("EOPNOTSUPP")) {
                throw e;
            }
        }
    }

    private static void discard(Path file, Throwable cause) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Makes the end of a log durable, as far as its records are intact, and removes what follows: the system may have
     * the last records in its cache only, and the rest of a torn group would continue a shorter one that takes its
     * place.
     */
    private void repair(LogEnd end) throws IOException {
        List<Path> segments = segments();
        for (Path later : segments.subList(segments.indexOf(end.segment()) + 1, segments.size())) {
            Files.delete(later);
        }
        force(path);
        int size = end.header().size();
        ByteBuffer bytes = ByteBuffer.allocateDirect(size);
        boolean whole = read(end.segment(), bytes).limit() == size;
        // Behind the last group there are zeros, if anything.
        int torn = whole ? Math.min(size, end.nextGroup() + end.header().groupSize()) : size;
        bytes.limit(torn).put(end.position(), new byte[torn - end.position()]);
        try (FileHandle file = FileHandle.open(end.segment(), WRITE)) {
            file.writeFully(bytes, 0);
            file.force();
        }
    }

    /**
     * Opens a segment to append to it, past the system's cache if its file system allows that.
     *
     * @return the file; the caller closes it
     */
    FileHandle openToAppend(Path segment) throws IOException {
        try {
            FileHandle file = FileHandle.open(segment, WRITE, FileOption.DIRECT);
            FileAlignment alignment = file.directAlignment();
            if (Math.max(alignment.write(), alignment.memory()) <= SegmentHeader.BLOCK) {
                return file;
            }
            file.close();
        } catch (UnsupportedOperationException e) {
            // Not on this system.
        } catch (SystemCallException e) {
            if (!e.errorName().equals("EINVAL")) {
                throw e;
            }
        }
        return FileHandle.open(segment, WRITE);
    }

    /** Makes the names in a directory durable; Windows has its own journal for that. */
    private static void force(Path directory) throws IOException {
        try (DirectoryHandle opened = DirectoryHandle.open(directory)) {
            opened.force();
        } catch (UnsupportedOperationException e) {
            // On Windows.
        } catch (SystemCallException e) {
            if (!e.errorName().equals("EINVAL")) {
                throw e;
            }
            // Some file systems, such as those shared with a virtual machine, force no directories.
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
