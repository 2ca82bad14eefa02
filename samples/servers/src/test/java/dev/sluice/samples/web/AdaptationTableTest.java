package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a server has decided, in columns. */
class AdaptationTableTest {

    @TempDir
    private Path directory;

    private static Map<String, Object> row(Object... namesAndValues) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        return row;
    }

    /** Rows differ after a reload that pins something, or lets it be adapted again. */
    @Test
    void valuesAreInTheColumnsOfTheirNames() throws IOException {
        Path file = directory.resolve("table.csv");
        try (AdaptationTable table = AdaptationTable.open("--adaptation-csv", file.toString())) {
            table.add(row("time", 1, "concurrency", "thread-pool", "threads", 16));
            table.add(row("time", 2, "threads", 8));
            table.add(row("time", 3, "threads", 4, "concurrency", "leader-followers"));
        }
        assertEquals(List.of("time,concurrency,threads", "1,thread-pool,16", "2,,8", "3,leader-followers,4"),
                Files.readAllLines(file));
    }

    /** The server stops as if it had written no table. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDiskIsNoFailureAtTheEnd() throws IOException {
        AdaptationTable table = AdaptationTable.open("--adaptation-csv", "/dev/full");
        table.add(row("time", 1));
        assertDoesNotThrow(table::close);
    }
}
