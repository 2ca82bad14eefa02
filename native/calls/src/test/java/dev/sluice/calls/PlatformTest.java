package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Platform.Cpu;
import dev.sluice.calls.Platform.Os;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PlatformTest {

    @Test
    void knowsTheNamesThatJavaGivesSystems() {
        assertEquals(new Platform(Os.LINUX, Cpu.X86_64), Platform.of("Linux", "amd64"));
        assertEquals(new Platform(Os.LINUX, Cpu.AARCH64), Platform.of("Linux", "aarch64"));
        assertEquals(new Platform(Os.MACOS, Cpu.X86_64), Platform.of("Mac OS X", "x86_64"));
        assertEquals(new Platform(Os.MACOS, Cpu.AARCH64), Platform.of("Mac OS X", "arm64"));
        assertEquals(new Platform(Os.FREEBSD, Cpu.X86_64), Platform.of("FreeBSD", "amd64"));
        assertEquals(new Platform(Os.OPENBSD, Cpu.X86_64), Platform.of("OpenBSD", "amd64"));
        assertEquals(new Platform(Os.WINDOWS, Cpu.X86_64), Platform.of("Windows Server 2022", "amd64"));
        assertEquals(new Platform(Os.OTHER, Cpu.OTHER), Platform.of("AIX", "ppc64"));
    }

    @Test
    void readsNamesInAnyLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            assertEquals(new Platform(Os.WINDOWS, Cpu.AARCH64), Platform.of("WINDOWS 11", "AARCH64"));
            assertEquals("Linux x86_64", Platform.of("LINUX", "X86_64").toString());
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void isLinuxOnlyWhereTheLayoutsAreKnown() {
        assertTrue(Platform.of("Linux", "amd64").isLinux());
        assertFalse(Platform.of("Linux", "riscv64").isLinux());
        assertFalse(Platform.of("FreeBSD", "amd64").isLinux());
    }

    @Test
    void currentIsThisMachine() {
        assertEquals(Platform.of(System.getProperty("os.name"), System.getProperty("os.arch")), Platform.CURRENT);
    }
}
