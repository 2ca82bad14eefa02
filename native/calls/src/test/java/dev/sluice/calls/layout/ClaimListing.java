package dev.sluice.calls.layout;

import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.SmallJvm;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A program that lists every claim's value, for a JVM that believes to be on another system or CPU. */
final class ClaimListing {

    private ClaimListing() {
    }

    /** {@return each claim's value on another platform, by {@link Claims#key}} */
    static Map<String, Long> on(String osName, String osArch) throws Exception {
        return SmallJvm.run(ClaimListing.class,
                        List.of(CodeLocation.of(On.class), CodeLocation.of(ClaimListing.class)),
                        "-Dos.name=" + osName, "-Dos.arch=" + osArch).stream()
                .map(line -> line.split(" "))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Long.valueOf(pair[1])));
    }

    public static void main(String[] none) throws IOException {
        for (Claims claims : LayoutPackage.claims()) {
            claims.list().forEach(claim ->
                    System.out.println(SmallJvm.MARK + claims.key(claim) + " " + claim.value()));
        }
    }
}
