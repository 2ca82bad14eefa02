package dev.sluice.samples.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of the descriptions that kernels give. */
class ProcessorTest {

    @TempDir
    private Path directory;

    @Test
    void hasAModelNameOnX86() throws Exception {
        assertModel("Intel(R) Core(TM) i7 CPU @ 2.80GHz", """
                processor\t: 0
                vendor_id\t: GenuineIntel
                model\t\t: 30
                model name\t: Intel(R) Core(TM) i7 CPU       @ 2.80GHz
                flags\t\t: fpu vme model name: none

                processor\t: 1
                model name\t: Intel(R) Another
                """);
    }

    @Test
    void hasNumbersOnArm() throws Exception {
        assertModel("implementer 0x41 part 0xd0c", """
                processor\t: 0
                BogoMIPS\t: 50.00
                CPU implementer\t: 0x41
                CPU architecture: 8
                CPU variant\t: 0x3
                CPU part\t: 0xd0c
                CPU revision\t: 1

                processor\t: 1
                CPU implementer\t: 0x42
                CPU part\t: 0xd0d
                """);
    }

    @Test
    void mayBeUnknown() throws Exception {
        assertModel(null, "");
        assertModel(null, "processor\t: 0\n\nCPU part\t: 0xd0c\nmodel name\t:\nno colon\n");
        assertEquals(Optional.empty(), Processor.model(directory.resolve("missing")));
        assertEquals(Optional.empty(), Processor.model(directory));
    }

    private void assertModel(String expected, String description) throws Exception {
        Path file = Files.writeString(directory.resolve("cpuinfo"), description);
        assertEquals(Optional.ofNullable(expected), Processor.model(file));
    }
}
