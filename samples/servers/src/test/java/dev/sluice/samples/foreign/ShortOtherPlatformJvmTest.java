package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Programs;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The short form of {@link OtherPlatformJvmTest}, on the most used of the other processors and on the big-endian one.
 * It takes two minutes where the whole takes hours; the ordinary build has the C compilers of these processors check
 * the layouts instead.
 */
@Tag("foreign")
@EnabledOnOs(OS.LINUX)
class ShortOtherPlatformJvmTest {

    @ParameterizedTest
    @CsvSource({"arm64-25, qemu-aarch64", "s390x-25, qemu-s390x"})
    void callsAddressesAndEcho(String name, String emulator) throws Exception {
        if (!Programs.has(emulator)) {
            skip(name, "no " + emulator + " on the PATH");
        }
        OtherPlatformJvm jvm = null;
        try {
            jvm = OtherPlatformJvm.named(name);
        } catch (IOException e) {
            skip(name, e.getMessage());
        }
        new OtherPlatformRun(jvm, "ffm").test("short", "demultiplexers", Suite.SHORT);
        new OtherPlatformEcho(new OtherPlatformServer(jvm, "ffm")).testShort("epoll");
    }

    private static void skip(String name, String reason) {
        System.out.println("ShortForeignJvmTest skipped " + name + ": " + reason);
        assumeTrue(false, reason);
    }
}
