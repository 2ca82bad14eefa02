package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Platform.Cpu;
import dev.sluice.calls.Platform.Os;
import dev.sluice.testing.Depth;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag(Depth.IN_QUICK)
class PlatformTest {

    @Test
    void knowsTheNamesThatJavaGivesSystems() {
        assertEquals(new Platform(Os.LINUX, Cpu.X86_64), Platform.of("Linux", "amd64"));
        assertEquals(new Platform(Os.LINUX, Cpu.AARCH64), Platform.of("Linux", "aarch64"));
        assertEquals(new Platform(Os.LINUX, Cpu.RISCV64), Platform.of("Linux", "riscv64"));
        assertEquals(new Platform(Os.LINUX, Cpu.PPC64LE), Platform.of("Linux", "ppc64le"));
        assertEquals(new Platform(Os.LINUX, Cpu.S390X), Platform.of("Linux", "s390x"));
        assertEquals(new Platform(Os.LINUX, Cpu.LOONGARCH64), Platform.of("Linux", "loongarch64"));
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
        assertTrue(Platform.of("Linux", "s390x").isLinux());
        assertFalse(Platform.of("Linux", "ppc64").isLinux());
        assertFalse(Platform.of("FreeBSD", "amd64").isLinux());
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, arm", "Linux, x86", "Linux, ppc64", "Linux, mips64el", "Linux, sparcv9",
        "Mac OS X, ppc64le", "FreeBSD, riscv64", "OpenBSD, powerpc64", "Windows 11, x86"
    })
    void refusesProcessorsWhoseLayoutsAreNotKnown(String osName, String osArch) {
        Availability availability = Platform.availability(osName, osArch);
        assertFalse(availability.usable());
        assertTrue(availability.reason().startsWith("the layouts of " + osName + " on " + osArch
                + " are not known here, only those on x86_64, aarch64"), availability.reason());
    }

    @Test
    void saysWhyNoProcessorOf32BitsWillDo() {
        String why = ": pointers and sizes have 32 bits there, and 64 in every call here";
        assertEquals(Availability.missing("the layouts of Linux on arm are not known here, only those on x86_64, "
                + "aarch64, riscv64, ppc64le, s390x, loongarch64" + why), Platform.availability("Linux", "arm"));
        assertEquals(Availability.missing("the layouts of Windows 11 on x86 are not known here, only those on x86_64, "
                + "aarch64" + why), Platform.availability("Windows 11", "x86"));
        assertFalse(Platform.availability("Linux", "ppc64").reason().contains("bits"));
    }

    @Test
    void refusesSystemsWhoseLayoutsAreNotKnown() {
        assertEquals(Availability.missing("the layouts of AIX on ppc64 are not known here"),
                Platform.availability("AIX", "ppc64"));
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64", "Linux, aarch64", "Linux, riscv64", "Linux, ppc64le", "Linux, s390x", "Linux, loongarch64",
        "Mac OS X, x86_64", "Mac OS X, aarch64", "FreeBSD, amd64", "OpenBSD, amd64", "Windows Server 2022, amd64"
    })
    void acceptsProcessorsWhoseLayoutsAreKnown(String osName, String osArch) {
        assertEquals(Availability.USABLE, Platform.availability(osName, osArch));
    }

    @Test
    void currentIsThisMachine() {
        assertEquals(Platform.of(System.getProperty("os.name"), System.getProperty("os.arch")), Platform.CURRENT);
    }
}
