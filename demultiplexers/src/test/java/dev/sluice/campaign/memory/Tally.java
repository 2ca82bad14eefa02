package dev.sluice.campaign.memory;

/** What has begun and what has ended. For the loop thread; it allocates nothing. */
final class Tally {

    private long begun;
    private long ended;
    private String problem = "";

    void begin() {
        begun++;
    }

    void end() {
        ended++;
    }

    void require(boolean met, String what) {
        if (!met) {
            problem = what;
        }
    }

    String problems() {
        return begun == ended ? problem : problem + " " + begun + " begun and " + ended + " ended";
    }

    long begun() {
        return begun;
    }
}
