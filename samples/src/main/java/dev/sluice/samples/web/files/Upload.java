package dev.sluice.samples.web.files;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.handle.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A new version of a file while it arrives: a file beside the old one, which takes its name when it is complete and on
 * the disk. Whenever the process ends before that, the old one is there, and the new one at most under a name that
 * begins with a dot. For one thread.
 */
public final class Upload implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);

    private final Path target;
    private final Path part;
    private final FileHandle file;
    private long size;
    private FileStamp stamp;
    private boolean replaced;

    private Upload(Path target, Path part) throws IOException {
        this.target = target;
        this.part = part;
        this.file = FileHandle.open(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    /**
     * Begins a new version.
     *
     * @param target its name, as {@link WritableDirectory#resolve} tells it
     * @return an empty one
     * @throws IOException if the system refuses
     */
    public static Upload to(Path target) throws IOException {
        return new Upload(target, target.resolveSibling(".put-" + UUID.randomUUID()));
    }

    /**
     * Appends octets.
     *
     * @param octets all of which are taken
     * @throws IOException if the disk is full, or fails
     */
    public void write(ByteBuffer octets) throws IOException {
        while (octets.hasRemaining()) {
            size += file.write(octets, size);
        }
    }

    /**
     * Waits until all octets are on the disk.
     *
     * @throws IOException if the disk fails
     */
    public void force() throws IOException {
        file.force();
        stamp = FileStamp.of(file, part);
    }

    /** {@return which version it is, once it has been forced to the disk} */
    public FileStamp stamp() {
        return stamp;
    }

    /**
     * Gives the new version its name, at once for everybody who looks.
     *
     * @return whether there was an old one
     * @throws IOException if the system refuses
     */
    public boolean replace() throws IOException {
        boolean existed = Files.exists(target, LinkOption.NOFOLLOW_LINKS);
        if (Bindings.current().os() == Platform.Os.WINDOWS) {
            move();
        } else {
            // Opened first: were the process out of descriptors afterwards, a failure would be reported although the
            // file has been replaced.
            try (FileHandle directory = FileHandle.open(target.getParent())) {
                move();
                // Else the name could be lost with the power (fsync(2), notes).
                directory.force();
            }
        }
        return existed;
    }

    private void move() throws IOException {
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        replaced = true;
    }

    /** Closes the file, and deletes it if it has not got its name. */
    @Override
    public void close() {
        if (!file.handle().isOpen()) {
            return;
        }
        file.close();
        if (!replaced) {
            try {
                Files.deleteIfExists(part);
            } catch (IOException e) {
                LOG.warn("{} is left over: {}", part, e.toString());
            }
        }
    }
}
