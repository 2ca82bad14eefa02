package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.sluice.calls.Linux;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;
import dev.sluice.calls.Windows;
import dev.sluice.testing.Depth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every structure, constant, error number and prototype is what the C compiler says, here and on the other CPUs and
 * systems that cross compilers speak for. Each compiler runs twice: for the prototypes, and for everything else.
 */
class AbiTest {

    @Tag(Depth.IN_QUICK)
    @TestFactory
    Stream<DynamicTest> thisMachine() throws Exception {
        boolean linux = Platform.CURRENT.os() == Platform.Os.LINUX;
        CCompiler compiler = require(CCompiler.find("cc", "gcc"), "no cc or gcc on the PATH");
        Stream<Claims> layouts = LayoutPackage.claims().stream()
                .filter(claims -> claims.on() == On.UNIX || claims.on() == (linux ? On.LINUX : On.BSD))
                .map(Claims::ofWhatExists);
        // Elsewhere cc is often not gcc, which alone lists prototypes.
        return linux ? tests(compiler, layouts, Posix.class, Linux.class) : tests(compiler, layouts);
    }

    @TestFactory
    Stream<DynamicTest> linuxOnAarch64() throws Exception {
        return linuxOn(Platform.Cpu.AARCH64, "aarch64-linux-gnu-gcc");
    }

    @TestFactory
    Stream<DynamicTest> linuxOnRiscv64() throws Exception {
        return linuxOn(Platform.Cpu.RISCV64, "riscv64-linux-gnu-gcc");
    }

    @TestFactory
    Stream<DynamicTest> linuxOnPpc64le() throws Exception {
        return linuxOn(Platform.Cpu.PPC64LE, "powerpc64le-linux-gnu-gcc");
    }

    @TestFactory
    Stream<DynamicTest> linuxOnS390x() throws Exception {
        return linuxOn(Platform.Cpu.S390X, "s390x-linux-gnu-gcc");
    }

    @TestFactory
    Stream<DynamicTest> linuxOnLoongarch64() throws Exception {
        return linuxOn(Platform.Cpu.LOONGARCH64, "loongarch64-linux-gnu-gcc");
    }

    /** Another C library on the same kernel, whose own headers, below linux, it leaves out. */
    @TestFactory
    Stream<DynamicTest> linuxWithMusl() throws Exception {
        return linuxOn(Platform.Cpu.X86_64, "musl-gcc",
                claims -> claims.headers().stream().noneMatch(header -> header.startsWith("linux/")));
    }

    private static Stream<DynamicTest> linuxOn(Platform.Cpu cpu, String program) throws Exception {
        return linuxOn(cpu, program, claims -> true);
    }

    private static Stream<DynamicTest> linuxOn(Platform.Cpu cpu, String program, Predicate<Claims> declared)
            throws Exception {
        CCompiler compiler = require(CCompiler.find(program), "no " + program + " on the PATH");
        Map<String, Long> values = ClaimListing.on("Linux", cpu.title());
        Stream<Claims> layouts = LayoutPackage.claims().stream()
                .filter(claims -> claims.on() == On.UNIX || claims.on() == On.LINUX)
                .filter(declared)
                .map(claims -> claims.with(values).ofWhatExists());
        return tests(compiler, layouts, Posix.class, Linux.class);
    }

    // No value for Windows depends on where this runs, unlike those of Linux.
    @TestFactory
    Stream<DynamicTest> windows() throws Exception {
        CCompiler compiler = require(CCompiler.find("x86_64-w64-mingw32-gcc"), "no x86_64-w64-mingw32-gcc on the PATH");
        return tests(compiler, LayoutPackage.claims().stream().filter(claims -> claims.on() == On.WINDOWS),
                Windows.class);
    }

    @Test
    void noClassWithConstantsLacksItsAnnotation() throws Exception {
        String forgotten = LayoutPackage.classes().stream()
                .filter(type -> !type.isAnnotation() && !type.isEnum() && !Claims.fields(type).isEmpty())
                .filter(type -> Claims.of(type).isEmpty())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        assertEquals("", forgotten, "neither @CStruct nor @CConstants");
    }

    private static Stream<DynamicTest> tests(CCompiler compiler, Stream<Claims> layouts, Class<?>... families)
            throws Exception {
        // The headers of the functions come first: winsock2.h has to precede windows.h.
        List<Claims> all = new ArrayList<>(FamilyClaims.of(compiler, families));
        layouts.forEach(all::add);
        Map<String, Long> c = compiler.evaluate(all);
        return all.stream().map(claims -> dynamicTest(claims.subject(), () -> check(claims, c, compiler)));
    }

    private static void check(Claims claims, Map<String, Long> c, CCompiler compiler) {
        String wrong = claims.list().stream()
                .filter(claim -> !claim.agrees(c.get(claims.key(claim))))
                .map(claim -> claims.key(claim) + " = " + claim.value() + " in Java, but " + claim.expression()
                        + " = " + c.get(claims.key(claim)) + " in C")
                .collect(Collectors.joining("\n"));
        assertTrue(wrong.isEmpty(), () -> "by " + compiler + ":\n" + wrong);
    }

    private static CCompiler require(Optional<CCompiler> compiler, String reason) {
        if (compiler.isEmpty()) {
            System.out.println("AbiTest skipped: " + reason);
        }
        assumeTrue(compiler.isPresent(), reason);
        return compiler.get();
    }
}
