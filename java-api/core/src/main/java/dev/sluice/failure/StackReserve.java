package dev.sluice.failure;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Checks for stack before operations that must not be interrupted. A hook may recurse until its stack is full, and call
 * the library from there: then any method call may throw {@link StackOverflowError}, between any two steps. If a method
 * of this class is called first, it throws that error before the first step instead.
 *
 * <p>A check enters a number of frames with 120 values each: about 1 KiB per frame in compiled code and 2 KiB in the
 * interpreter. A few large frames take a fifth of the time that small frames of the same total size take.
 */
public final class StackReserve {

    /** Values that are all 0, which is unknown to the compiler. */
    private static final long[] VALUES = new long[120];
    /** One of this many calls uses the values. */
    private static final int USE_INTERVAL = 64;

    private StackReserve() {
    }

    /**
     * Checks, before an object is acquired or a state is entered, that there is stack to release or leave it by a
     * method that changes a counter. Takes little time.
     */
    public static void requireForLeave() {
        enter(1);
    }

    /** Checks that there is stack for a change of a table or a queue, with some reserve. */
    public static void require() {
        enter(4);
    }

    /** Checks that there is stack for a change of a table or a queue that makes a system call. */
    public static void requireForCall() {
        enter(8);
    }

    /** Checks that there is stack for a wait, and for handling its results until hooks are called. */
    public static void requireForWait() {
        enter(12);
    }

    /**
     * Checks, before the system opens a descriptor, that there is stack to create its owner. Without an owner the
     * descriptor would never be closed.
     */
    public static void requireForOpening() {
        enter(24);
    }

    /** Checks that there is stack for the close of a demultiplexer. */
    public static void requireForClose() {
        enter(32);
    }

    /**
     * Checks that there is stack for the end of an event loop, which ends its registrations and closes its
     * demultiplexer.
     */
    public static void requireForEnd() {
        enter(64);
    }

    /** Enters the given number of nested frames, and leaves them. */
    private static void enter(int frames) {
        enter(frames, VALUES);
    }

    /**
     * Enters frames. Most calls do not use the values, so they take little time, but the compiler gives all frames the
     * size that the others need.
     */
    private static void enter(int frames, long[] v) {
        if (frames > 1) {
            enter(frames - 1, v);
            return;
        }
        if ((ThreadLocalRandom.current().nextInt() & USE_INTERVAL - 1) != 0) {
            return;
        }
        long v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3], v4 = v[4], v5 = v[5], v6 = v[6], v7 = v[7], v8 = v[8],
                v9 = v[9], v10 = v[10], v11 = v[11], v12 = v[12], v13 = v[13], v14 = v[14], v15 = v[15], v16 = v[16],
                v17 = v[17], v18 = v[18], v19 = v[19], v20 = v[20], v21 = v[21], v22 = v[22], v23 = v[23],
                v24 = v[24], v25 = v[25], v26 = v[26], v27 = v[27], v28 = v[28], v29 = v[29], v30 = v[30],
                v31 = v[31], v32 = v[32], v33 = v[33], v34 = v[34], v35 = v[35], v36 = v[36], v37 = v[37],
                v38 = v[38], v39 = v[39], v40 = v[40], v41 = v[41], v42 = v[42], v43 = v[43], v44 = v[44],
                v45 = v[45], v46 = v[46], v47 = v[47], v48 = v[48], v49 = v[49], v50 = v[50], v51 = v[51],
                v52 = v[52], v53 = v[53], v54 = v[54], v55 = v[55], v56 = v[56], v57 = v[57], v58 = v[58],
                v59 = v[59], v60 = v[60], v61 = v[61], v62 = v[62], v63 = v[63], v64 = v[64], v65 = v[65],
                v66 = v[66], v67 = v[67], v68 = v[68], v69 = v[69], v70 = v[70], v71 = v[71], v72 = v[72],
                v73 = v[73], v74 = v[74], v75 = v[75], v76 = v[76], v77 = v[77], v78 = v[78], v79 = v[79],
                v80 = v[80], v81 = v[81], v82 = v[82], v83 = v[83], v84 = v[84], v85 = v[85], v86 = v[86],
                v87 = v[87], v88 = v[88], v89 = v[89], v90 = v[90], v91 = v[91], v92 = v[92], v93 = v[93],
                v94 = v[94], v95 = v[95], v96 = v[96], v97 = v[97], v98 = v[98], v99 = v[99], v100 = v[100],
                v101 = v[101], v102 = v[102], v103 = v[103], v104 = v[104], v105 = v[105], v106 = v[106],
                v107 = v[107], v108 = v[108], v109 = v[109], v110 = v[110], v111 = v[111], v112 = v[112],
                v113 = v[113], v114 = v[114], v115 = v[115], v116 = v[116], v117 = v[117], v118 = v[118],
                v119 = v[119];
        // These indexes are unknown to the compiler, so it must read all values before, and keep each of them in the
        // frame.
        v[(int) v0] = v1;
        long r = v[(int) v2];
        v[(int) v3] = (v0 ^ r) + (v1 ^ r) + (v2 ^ r) + (v3 ^ r) + (v4 ^ r) + (v5 ^ r) + (v6 ^ r) + (v7 ^ r)
                + (v8 ^ r) + (v9 ^ r) + (v10 ^ r) + (v11 ^ r) + (v12 ^ r) + (v13 ^ r) + (v14 ^ r) + (v15 ^ r)
                + (v16 ^ r) + (v17 ^ r) + (v18 ^ r) + (v19 ^ r) + (v20 ^ r) + (v21 ^ r) + (v22 ^ r) + (v23 ^ r)
                + (v24 ^ r) + (v25 ^ r) + (v26 ^ r) + (v27 ^ r) + (v28 ^ r) + (v29 ^ r) + (v30 ^ r) + (v31 ^ r)
                + (v32 ^ r) + (v33 ^ r) + (v34 ^ r) + (v35 ^ r) + (v36 ^ r) + (v37 ^ r) + (v38 ^ r) + (v39 ^ r)
                + (v40 ^ r) + (v41 ^ r) + (v42 ^ r) + (v43 ^ r) + (v44 ^ r) + (v45 ^ r) + (v46 ^ r) + (v47 ^ r)
                + (v48 ^ r) + (v49 ^ r) + (v50 ^ r) + (v51 ^ r) + (v52 ^ r) + (v53 ^ r) + (v54 ^ r) + (v55 ^ r)
                + (v56 ^ r) + (v57 ^ r) + (v58 ^ r) + (v59 ^ r) + (v60 ^ r) + (v61 ^ r) + (v62 ^ r) + (v63 ^ r)
                + (v64 ^ r) + (v65 ^ r) + (v66 ^ r) + (v67 ^ r) + (v68 ^ r) + (v69 ^ r) + (v70 ^ r) + (v71 ^ r)
                + (v72 ^ r) + (v73 ^ r) + (v74 ^ r) + (v75 ^ r) + (v76 ^ r) + (v77 ^ r) + (v78 ^ r) + (v79 ^ r)
                + (v80 ^ r) + (v81 ^ r) + (v82 ^ r) + (v83 ^ r) + (v84 ^ r) + (v85 ^ r) + (v86 ^ r) + (v87 ^ r)
                + (v88 ^ r) + (v89 ^ r) + (v90 ^ r) + (v91 ^ r) + (v92 ^ r) + (v93 ^ r) + (v94 ^ r) + (v95 ^ r)
                + (v96 ^ r) + (v97 ^ r) + (v98 ^ r) + (v99 ^ r) + (v100 ^ r) + (v101 ^ r) + (v102 ^ r) + (v103 ^ r)
                + (v104 ^ r) + (v105 ^ r) + (v106 ^ r) + (v107 ^ r) + (v108 ^ r) + (v109 ^ r) + (v110 ^ r)
                + (v111 ^ r) + (v112 ^ r) + (v113 ^ r) + (v114 ^ r) + (v115 ^ r) + (v116 ^ r) + (v117 ^ r)
                + (v118 ^ r) + (v119 ^ r);
    }
}
