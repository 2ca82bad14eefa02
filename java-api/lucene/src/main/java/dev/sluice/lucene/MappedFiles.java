package dev.sluice.lucene;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NoLockFactory;

/**
 * Files that Lucene maps into memory: its scorers of vectors accept memory segments, and it advises the system how
 * they are accessed. May be used by any thread.
 */
final class MappedFiles implements Closeable {

    private final MMapDirectory directory;

    MappedFiles(Path path) throws IOException {
        directory = new MMapDirectory(path, NoLockFactory.INSTANCE);
    }

    /**
     * Maps a file.
     *
     * @param name    its name
     * @param context how it is accessed
     * @return the input, whose close unmaps it
     * @throws IOException if the file cannot be opened or mapped
     */
    IndexInput open(String name, IOContext context) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return directory.openInput(name, context);
                } catch (IOException e) {
                    // An interrupt closes the channel by which the file is mapped, and the exception need not say that.
                    if (!Thread.interrupted()) {
                        throw e;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Maps no more files. What is mapped stays so until its input is closed. */
    @Override
    public void close() throws IOException {
        directory.close();
    }
}
