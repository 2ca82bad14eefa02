package dev.sluice.samples.web.files;

import dev.sluice.handle.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A new version of a file while it arrives: a file beside the old one, which takes its name when it is complete and on
 * the disk. Whenever the process ends before that, the old one is there, and the new one at most under a name that
 * begins with a dot. All of that happens in the directory that was found at first, whatever is called so later. For one
 * thread.
 */
public final class Upload implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);

    private final HeldDirectory directory;
    private final Path name;
    private final Path part = Path.of(".put-" + UUID.randomUUID());
    private FileHandle file;
    private long size;
    private FileStamp stamp;
    private boolean replaced;

    /** Takes the directory over, in which the file is, or will be. */
    Upload(HeldDirectory directory, Path name) {
        this.directory = directory;
        this.name = name;
    }

    /** {@return the real path that the file has, or gets} */
    public Path target() {
        return directory.path().resolve(name);
    }

    /**
     * {@return what has the name now; null for nothing}
     *
     * @throws IOException if the system does not say so
     */
    public FileStamp current() throws IOException {
        return directory.stamp(name);
    }

    /**
     * Begins the new version, which is empty.
     *
     * @throws IOException if the system refuses
     */
    public void begin() throws IOException {
        file = directory.open(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    /**
     * Appends octets to the version that has been begun.
     *
     * @param octets all of which are taken
     * @throws IOException if the disk is full, or fails
     */
    public void write(ByteBuffer octets) throws IOException {
        int count = octets.remaining();
        file.writeFully(octets, size);
        size += count;
    }

    /**
     * Waits until all octets are on the disk.
     *
     * @throws IOException if the disk fails
     */
    public void force() throws IOException {
        file.force();
        stamp = FileStamp.of(file, directory.path().resolve(part));
    }

    /** {@return which version it is, once it has been forced to the disk} */
    public FileStamp stamp() {
        return stamp;
    }

    /**
     * Gives the new version its name, atomically.
     *
     * @return whether there was an old one
     * @throws IOException if the system refuses
     */
    public boolean replace() throws IOException {
        boolean existed = current() != null;
        directory.replace(part, name);
        replaced = true;
        return existed;
    }

    /** Closes the file, and deletes it if it has not got its name. */
    @Override
    public void close() {
        if (file != null && file.handle().isOpen()) {
            if (!replaced) {
                deletePart();
            }
            file.close();
        }
        directory.close();
    }

    private void deletePart() {
        try {
            directory.delete(part);
        } catch (IOException e) {
            LOG.warn("{} is left over: {}", directory.path().resolve(part), e.toString());
        }
    }
}
