package dev.sluice.samples.compare;

import dev.sluice.samples.console.TextTable;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file to which a table is written at the end. Until then its old content is kept. */
final class CsvFile implements Closeable {

    private final FileChannel channel;

    private CsvFile(FileChannel channel) {
        this.channel = channel;
    }

    static CsvFile open(Path path) throws IOException {
        return new CsvFile(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    void write(TextTable table) throws IOException {
        StringWriter text = new StringWriter();
        // A writer to the file itself would not report a full disk.
        table.printCsv(new PrintWriter(text));
        ByteBuffer octets = StandardCharsets.UTF_8.encode(text.toString());
        channel.truncate(0);
        while (octets.hasRemaining()) {
            channel.write(octets);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
