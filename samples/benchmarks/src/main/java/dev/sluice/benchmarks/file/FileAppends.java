package dev.sluice.benchmarks.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Appends the records of all appenders to one file, which has nothing else. */
abstract class FileAppends extends AppendWorkload {

    /**
     * Creates the file.
     *
     * @param arguments as from {@link AppendWorkload#arguments}
     * @throws IOException if it cannot be created
     */
    FileAppends(List<String> arguments) throws IOException {
        super(arguments);
        createEmpty(path());
    }

    private static void createEmpty(Path path) throws IOException {
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING).close();
    }

    @Override
    final void empty() throws IOException {
        createEmpty(path());
    }

    @Override
    final void read(Records records) throws IOException {
        ByteBuffer record = Slot.aligned(Appender.RECORD);
        try (FileChannel file = FileChannel.open(path())) {
            while (file.read(record.clear()) == Appender.RECORD) {
                records.take(record);
            }
        }
    }
}
