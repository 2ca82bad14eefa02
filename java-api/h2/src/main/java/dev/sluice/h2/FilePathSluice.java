package dev.sluice.h2;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.h2.store.fs.FileUtils;

/**
 * The file system {@code sluice:} of H2, whose files are opened as {@link FileHandle}. It has to be registered once,
 * before the first database is opened:
 *
 * <pre>{@code
 * FilePathSluice.register();
 * Connection connection = DriverManager.getConnection("jdbc:h2:sluice:/var/lib/shop/orders");
 * MVStore store = MVStore.open("sluice:/var/lib/shop/cache");
 * }</pre>
 *
 * <p>After the prefix follows a path of H2's default file system, where {@code ~} is the home of the user. H2's
 * wrappers are written before it, as in {@code split:sluice:/path}; {@code sluice:} accepts none after it, because it
 * opens files of the operating system. Names, folders, times and permissions are those of the default file system.
 *
 * <p>The files that {@link #open} returns may be used by any number of threads. Their reads and writes wait for the
 * system; a virtual thread holds its carrier for that time. A file cannot be mapped into memory. Locks belong to the
 * open file. FreeBSD and OpenBSD have such locks of whole files only, as H2 takes them; a lock of a part is refused
 * with an {@code IOException} there.
 */
public final class FilePathSluice extends FilePathWrapper {

    private static final String SCHEME = "sluice";
    /** The scheme of H2's default file system. */
    private static final String DEFAULT_SCHEME = "file";

    /** Creates a path without a name, as H2 does by reflection; {@link FilePath#get} creates those with a name. */
    public FilePathSluice() {
    }

    /**
     * Makes the prefix {@code sluice:} known to H2, in the whole process. Without this, H2 takes the prefix for a part
     * of a file name. Registering again does no harm.
     */
    public static void register() {
        FilePath.register(new FilePathSluice());
    }

    /** {@return the prefix without its colon} */
    @Override
    public String getScheme() {
        return SCHEME;
    }

    /**
     * Returns the path of the default file system for a path of this one.
     *
     * @throws IllegalArgumentException if another file system than the default one follows the prefix
     */
    @Override
    protected FilePath unwrap(String path) {
        FilePath base = super.unwrap(path);
        if (!DEFAULT_SCHEME.equals(base.getScheme())) {
            throw new IllegalArgumentException(path + ": " + SCHEME + ": opens files of the operating system and "
                    + "cannot wrap " + base.getScheme() + ":; write " + SCHEME + ": last, directly before the path");
        }
        return base;
    }

    /**
     * Opens the file.
     *
     * @param mode {@code r}, {@code rw}, which creates the file, or {@code rws} and {@code rwd}, whose writes also wait
     *             until the disk has them
     * @return the open file; the caller closes it
     * @throws dev.sluice.handle.SystemCallException if the system refuses, such as {@code ENOENT}, {@code EACCES}
     * @throws IllegalArgumentException              if there is no such mode
     */
    @Override
    public FileChannel open(String mode) throws IOException {
        Set<? extends OpenOption> options = FileUtils.modeToOptions(mode);
        FileHandle file = FileHandle.open(Path.of(getBase().name), options);
        try {
            return new HandleChannel(file, name, options.contains(StandardOpenOption.WRITE),
                    options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC));
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }

    @Override
    public InputStream newInputStream() throws IOException {
        return Channels.newInputStream(open("r"));
    }

    /** Opens the file for writing. Creates it and its folders if they do not exist. */
    @Override
    public OutputStream newOutputStream(boolean append) throws IOException {
        Path folder = Path.of(getBase().name).getParent();
        // The folder may be a symbolic link, which createDirectories refuses before Java 20.
        if (folder != null && !Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
        FileChannel file = open("rw");
        try {
            return newFileChannelOutputStream(file, append);
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }
}
