package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.sluice.calls.Platform;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every structure, constant and error number is what the C compiler says, here and on the other CPU that we know. */
class AbiTest {

    @TestFactory
    Stream<DynamicTest> thisMachine() throws Exception {
        On here = Platform.CURRENT.os() == Platform.Os.LINUX ? On.LINUX : On.BSD;
        CCompiler compiler = require(CCompiler.find("cc", "gcc"), "no cc or gcc on the PATH");
        return LayoutPackage.claims().stream()
                .filter(claims -> claims.on() == On.UNIX || claims.on() == here)
                .map(claims -> test(claims.ofWhatExists(), compiler));
    }

    @TestFactory
    Stream<DynamicTest> linuxOnAarch64() throws Exception {
        CCompiler compiler = require(CCompiler.find("aarch64-linux-gnu-gcc"), "no aarch64-linux-gnu-gcc on the PATH");
        Map<String, Long> values = ClaimListing.on("Linux", "aarch64");
        return LayoutPackage.claims().stream()
                .filter(claims -> claims.on() == On.UNIX || claims.on() == On.LINUX)
                .map(claims -> test(claims.with(values), compiler));
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

    private static DynamicTest test(Claims claims, CCompiler compiler) {
        return dynamicTest(claims.subject(), () -> {
            Map<String, Long> c = compiler.evaluate(claims);
            assertEquals(claims.list().size(), c.size(), () -> "answers of " + compiler + ": " + c);
            String wrong = claims.list().stream()
                    .filter(claim -> !claim.agrees(c.get(claim.field())))
                    .map(claim -> claims.key(claim) + " = " + claim.value() + " in Java, but " + claim.expression()
                            + " = " + c.get(claim.field()) + " in C")
                    .collect(Collectors.joining("\n"));
            assertTrue(wrong.isEmpty(), () -> "by " + compiler + ":\n" + wrong);
        });
    }

    private static CCompiler require(Optional<CCompiler> compiler, String reason) {
        if (compiler.isEmpty()) {
            System.out.println("AbiTest skipped: " + reason);
        }
        assumeTrue(compiler.isPresent(), reason);
        return compiler.get();
    }
}
