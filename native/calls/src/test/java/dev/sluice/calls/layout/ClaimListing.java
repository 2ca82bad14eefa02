package dev.sluice.calls.layout;

import dev.sluice.calls.SmallJvm;
import java.io.IOException;

/** A program that lists every claim's value, for a JVM that believes to be on another CPU. */
final class ClaimListing {

    private ClaimListing() {
    }

    public static void main(String[] none) throws IOException {
        for (Claims claims : LayoutPackage.claims()) {
            claims.list().forEach(claim ->
                    System.out.println(SmallJvm.MARK + claims.key(claim) + " " + claim.value()));
        }
    }
}
