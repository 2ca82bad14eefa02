package dev.sluice.samples.wal;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.samples.server.VirtualThreads;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/** The records of a log of texts. */
final class WrittenLog {

    static final int GROUP = 16 << 10;
    static final int SEGMENT = 64 << 10;

    private WrittenLog() {
    }

    /** {@return those that can write a log} */
    static Stream<String> demultiplexers(TestInfo test) {
        return Depth.first(test, Mechanism.available().stream()
                .filter(each -> each.mode() == Mechanism.Mode.ASYNCHRONOUS && each.availability().usable())
                .map(Mechanism::name), 2);
    }

    /** Starts tasks that append. If there are virtual threads here, every other one is: the Proactor writes for it. */
    static void start(List<? extends Runnable> tasks) {
        ExecutorService virtual = VirtualThreads.unavailable() == null ? VirtualThreads.newExecutor() : null;
        for (int i = 0; i < tasks.size(); i++) {
            if (i % 2 == 0 || virtual == null) {
                new Thread(tasks.get(i)).start();
            } else {
                virtual.execute(tasks.get(i));
            }
        }
        if (virtual != null) {
            virtual.shutdown();
        }
    }

    static LogSettings settings(String demultiplexer) {
        return new LogSettings(SEGMENT, GROUP, demultiplexer);
    }

    static ByteBuffer record(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(ByteBuffer record) {
        return StandardCharsets.UTF_8.decode(record).toString();
    }

    /** Reads all records. Their numbers have to be those from 1 on. */
    static List<String> read(Path directory) throws IOException {
        List<String> records = new ArrayList<>();
        LogScan.scan(new LogDirectory(directory), into(records));
        return records;
    }

    static RecordVisitor into(List<String> records) {
        return (number, bytes) -> {
            records.add(text(bytes));
            if (number != records.size()) {
                throw new IOException("record " + number + " is the " + records.size() + "th");
            }
        };
    }
}
